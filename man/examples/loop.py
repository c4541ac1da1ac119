#!/usr/bin/env python3
"""loop.py LOG: loop.sh in Python; see ctx-loop(7).

With ANTHROPIC_MODEL instead of OPENAI_MODEL it speaks Anthropic's API."""

import http.client
import json
import os
import re
import select
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from os.path import isfile

API = "openai" if os.environ.get("OPENAI_MODEL") else "anthropic"
MODEL, BASE, KEY = (os.environ.get(f"{API.upper()}_{name}")
                    for name in ("MODEL", "BASE_URL", "API_KEY"))
PROFILE = os.environ.get("LOOP_PROFILE") or "pragmatic"
LIMIT = os.environ.get("LOOP_LIMIT") or "100k"
CHECK = os.environ.get("LOOP_CHECK") or "make check"

PROMPT = "You help with the files of one directory."


def function(name, description, *arguments):
    properties = {argument: {"type": "string"} for argument in arguments}
    return {"type": "function", "function": {
        "name": name, "description": description, "parameters": {
            "type": "object", "properties": properties,
            "required": list(arguments)}}}


TOOLS = [
    function("read", "Reads a file of the directory.", "path"),
    function("check", "Runs the checks of the directory."),
    function("agent", "Gives a task to another agent.", "task"),
]


class Passing(Exception):
    """A failure after which another try may help, after so many seconds."""

    def __init__(self, what, wait=None):
        super().__init__(what)
        self.wait = wait


class Failed(Exception):
    """Why there is no answer."""


def say(what):
    print(f"loop.py: {what}", file=sys.stderr, flush=True)


def command(*words, text=None, statuses=(0, 65)):
    """Runs a command of ctx; 65 says that the log has bad lines."""
    done = subprocess.run(words, input=text, stdout=subprocess.PIPE)
    if done.returncode not in statuses:
        sys.exit(f"loop.py: {words[0]} ended with {done.returncode}")
    return done


def failure(text, output=b""):
    """What a tool that fails returns, behind what it has printed."""
    return output + f"error: {text}\n".encode(errors="replace"), True


class Input:
    """The lines of standard input, as they come."""

    def __init__(self):
        self.bytes = b""
        self.ended = False

    def fill(self):
        more = os.read(0, 65536)
        self.bytes += more
        self.ended = not more

    def line(self, waits):
        """The next line; None at the end, or when none has come."""
        while b"\n" not in self.bytes and not self.ended:
            if not waits and not select.select([0], [], [], 0)[0]:
                return None
            self.fill()
        if not self.bytes:
            return None
        line, _, self.bytes = self.bytes.partition(b"\n")
        return line.decode(errors="replace")


def choices_of_openai(events):
    for event in events:
        yield from event.get("choices", [])[:1]
        yield {"usage": event.get("usage") or {}}


def choices_of_anthropic(events):
    """The same from the events of Anthropic's API."""
    for event in events:
        block = event.get("content_block") or event.get("delta") or {}
        yield {"usage": (event.get("message") or event).get("usage") or {}}
        part = {"index": event.get("index")}
        if event["type"] == "error":
            raise Passing(event["error"]["message"])
        if block.get("type") == "text_delta":
            yield {"delta": {"content": block["text"]}}
        elif block.get("type") == "tool_use":
            part.update(id=block["id"], function={"name": block["name"]})
            yield {"delta": {"tool_calls": [part]}}
        elif block.get("type") == "input_json_delta":
            part["function"] = {"arguments": block["partial_json"]}
            yield {"delta": {"tool_calls": [part]}}
        elif event["type"] == "message_delta":
            yield {"finish_reason": block.get("stop_reason")}


def assemble(choices, show):
    """The choices of a stream as a message, which is whole at its end."""
    content, calls, finish, usage = None, {}, None, {}
    try:
        for choice in choices:
            delta = choice.get("delta") or {}
            usage.update(choice.get("usage") or {})
            finish = choice.get("finish_reason") or finish
            if delta.get("content") is not None:
                content = (content or "") + delta["content"]
                show(delta["content"])
            for part in delta.get("tool_calls") or []:
                call = calls.setdefault(part.get("index") or 0, {
                    "id": part.get("id"), "type": "function",
                    "function": {"name": "", "arguments": ""}})
                for key, text in (part.get("function") or {}).items():
                    call["function"][key] += text or ""
    finally:
        if content:
            show("\n")
    if not finish or not (content or calls):
        raise Passing("the answer breaks off")
    message = {"role": "assistant", "content": content}
    if usage:
        message["metadata"] = {"usage": usage}
    for _, call in sorted(calls.items()):
        call["function"]["arguments"] = call["function"]["arguments"] or "{}"
        message.setdefault("tool_calls", []).append(call)
    return message


def events(response):
    for line in response:
        if line.startswith(b"data:") and line.strip() != b"data: [DONE]":
            yield json.loads(line[5:])


def members_of_openai(tools):
    return {"model": MODEL, "stream": True,
            "stream_options": {"include_usage": True}, "tools": tools}


def members_of_anthropic(tools):
    return {"model": MODEL, "stream": True, "max_tokens": 8192, "tools": [
        {"name": tool["function"]["name"],
         "description": tool["function"]["description"],
         "input_schema": tool["function"]["parameters"]} for tool in tools]}


# Of each API: where it is, how it is told who asks, what a request has
# beside the messages, and how its events are read.
HOME, PATH, HEADERS, MEMBERS, CHOICES = {
    "openai": (
        "https://api.openai.com/v1", "/chat/completions",
        {"Authorization": f"Bearer {KEY}"} if KEY else {},
        members_of_openai, choices_of_openai),
    "anthropic": (
        "https://api.anthropic.com", "/v1/messages",
        {"anthropic-version": "2023-06-01",
         **({"x-api-key": KEY} if KEY else {})},
        members_of_anthropic, choices_of_anthropic),
}[API]


class Agent:
    def __init__(self, log, out, parent=None):
        self.log = log
        self.out = out
        self.parent = parent
        self.id = str(uuid.uuid4())

    def append(self, message):
        """Puts a message into the log, and into that of the parent."""
        record = json.dumps(message, separators=(",", ":")) + "\n"
        words = ["ctx-route", "--repair", "--execution", self.execution,
                 "--append", self.log]
        if self.parent:
            words += ["--set", f"agent_id={self.id}", "--set",
                      f"parent_execution_id={self.parent.execution}"]
        routed = command(*words, text=record.encode()).stdout
        if self.parent:
            command("ctx-route", "--repair", "--append", self.parent.log,
                    text=routed)

    def request(self):
        """What the model is going to read."""
        due = subprocess.run(
            ["ctx-budget", "--limit", LIMIT, "--check", self.log],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if due.returncode:
            subprocess.run(["ctx-compact", "-i", "--limit", LIMIT,
                            "--archive", self.log + ".archive", self.log])
        members = MEMBERS(TOOLS[:2] if self.parent else TOOLS)
        view = command("ctx-compile", "--profile", PROFILE, self.log).stdout
        return command("ctx-normalize", "--to", API,
                       "--request=" + json.dumps(members), text=view).stdout

    def show(self, text):
        text = re.sub(r"[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]",
                      "?", text)
        try:
            print(text, end="", file=self.out, flush=True)
        except BrokenPipeError:
            pass

    def ask(self, body):
        """Sends the request, and shows the answer while it comes."""
        request = urllib.request.Request(
            (BASE or HOME).rstrip("/") + PATH, body,
            {"Content-Type": "application/json", **HEADERS})
        try:
            with urllib.request.urlopen(request, timeout=600) as response:
                message = assemble(CHOICES(events(response)), self.show)
        except urllib.error.HTTPError as error:
            said = error.read(400).decode(errors="replace")
            said = f"HTTP {error.code}: {' '.join(said.split())}"
            if error.code not in (408, 429) and error.code < 500:
                raise Failed(said) from error
            wait = error.headers.get("Retry-After", "")
            wait = int(wait) if re.fullmatch("[0-9]{1,2}", wait) else None
            raise Passing(said, wait) from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Passing(str(error)) from error
        return message

    def answer(self):
        """Asks until there is an answer, or no more hope."""
        body = self.request()
        for pause in (1, 2, 4, 8, None):
            try:
                return self.ask(body)
            except Passing as error:
                say(error)
                if pause is None:
                    raise Failed("given up") from error
                time.sleep(pause if error.wait is None else error.wait)

    def tool(self, name, arguments):
        """Runs a tool: the bytes of its result, and whether it failed."""
        try:
            arguments = json.loads(arguments or "{}")
            value = next((value for value in map(
                arguments.get, ("path", "task"))
                if isinstance(value, str)), "")
        except (ValueError, AttributeError):
            return failure("the arguments are no JSON object")
        if name == "read":
            try:
                file = os.path.realpath(value, strict=True)
                if file.startswith(os.getcwd() + "/") and isfile(file):
                    with open(file, "rb") as opened:
                        return opened.read(20000), False
            except (OSError, ValueError):
                pass
            return failure(f"there is no file '{value}' here")
        if name == "check":
            done = subprocess.run(
                ["sh", "-c", CHECK], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not done.returncode:
                return done.stdout, False
            return failure(f"the check ended with {done.returncode}",
                           done.stdout)
        if name == "agent":
            if not self.parent:
                return self.delegate(value)
            return failure("the agent has no answer")
        return failure(f"there is no tool '{name}'")

    def delegate(self, task):
        """What a sub-agent answers, which has a log of its own."""
        agent = Agent("", sys.stderr, parent=self)
        agent.log = self.log.removesuffix(".jsonl") + f"-{agent.id}.jsonl"
        try:
            return agent.run(task, None).encode(errors="replace"), False
        except Failed as error:
            say(error)
            return failure("the agent has no answer")

    def run_tools(self, calls):
        """Runs calls, and appends their results."""
        for call in calls:
            result, failed = self.tool(**call["function"])
            message = {"role": "tool", "tool_call_id": call["id"],
                       "content": result[:20000].decode(errors="replace")}
            if failed:
                message["metadata"] = {"is_error": True}
            self.append(message)

    def run(self, text, lines):
        """Works on a request of the user until the model has no calls."""
        self.execution = str(uuid.uuid4())
        if not os.path.exists(self.log) or not os.path.getsize(self.log):
            self.append({"role": "system", "content": PROMPT})
        self.append({"role": "user", "content": text})
        for _ in range(100):
            message = self.answer()
            self.append(message)
            if "tool_calls" not in message:
                return message["content"]
            self.run_tools(message["tool_calls"])
            while lines and (line := lines.line(waits=False)) is not None:
                if line:
                    self.append({"role": "user", "content": line})
        raise Failed("100 steps, and no end")


def main():
    if len(sys.argv) != 2 or not MODEL:
        sys.exit("usage: OPENAI_MODEL=NAME loop.py LOG")
    agent, lines, status = Agent(sys.argv[1], sys.stdout), Input(), 0
    while (line := lines.line(waits=True)) is not None:
        try:
            if line:
                agent.run(line, lines)
        except Failed as error:
            say(error)
            status = 1
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"loop.py: {error}")
