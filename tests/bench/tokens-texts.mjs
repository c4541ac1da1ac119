// Writes the texts that the token benchmark counts, the same on every run:
//     node tokens-texts.mjs DIRECTORY MEGABYTES
// chat.txt is English talk, code.txt source code and the JSON and logs of tools, scripts.txt Chinese,
// Japanese, Korean and other scripts. Words are drawn by Zipf's law from stems with endings, so that
// there are frequent ones and a long tail of rare ones, as in what people write.

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { random } from '../tokens/torture.mjs';

const COMMON = `the of and to in a is that for it you was with on as are this be at have from or an by not we can all
will one would there their what so up out if about who get which go me when make like time no just him know take people
into year your good some could them see other than then now look only come its over think also back after use two how
our work first well way even new want because any these give day most us it's don't I'll you're that's can't let's
doesn't should here need file error test run line code output command value fix check think really maybe actually`
	.split(/\s+/);
const STEMS = `act add agree allow appear apply argue arrange arrive assign attach balance batch begin believe bind block
branch break buffer build cache call cancel carry change charge choose claim clean close collect combine commit compare
compile complete compute connect consider contain convert copy correct count cover create cross decide declare deliver
depend deploy describe design detect develop direct discuss divide document draw drop emit enable encode enforce enter
estimate evaluate exceed execute expand expect explain export expose extend extract fail fetch filter find finish fit
follow force form format forward gather generate group grow guard guess handle help hold ignore import improve include
increase index infer inform inject insert inspect install invoke iterate join judge keep label launch learn limit link
list load lock log maintain manage map mark match measure merge miss model modify monitor move name notice obtain occur
offer open operate order pack parse pass patch perform permit place plan point post predict prefer prepare present
prevent print process produce project protect prove provide publish push query queue raise read reason receive record
reduce refer refine reject release rely remain remember remove render repeat replace report request require resolve
respond restore result return reveal review route sample save scale scan schedule search select send separate serve set
settle shape share shift show sign skip solve sort split spread start state stop store stream strip submit suggest
support suppose switch sync tag target tell think thread throw touch trace track train transform translate trigger trim
trust try turn update upgrade upload validate verify view visit wait walk warn watch weigh wrap write yield`.split(/\s+/);
const ENDINGS = ['', '', '', 's', 's', 'ed', 'ing', 'er', 'ers', 'able', 'ment', 'ion', 'ive', 'al', 'ly', 'ness', 'less', 'ful', 'or', 'ure'];
const BEGINNINGS = ['', '', '', '', '', '', 're', 'un', 'pre', 'over', 'inter', 'sub', 'mis', 'non', 'auto', 'multi'];
const NAMES = 'Anna Boris Chen Diego Elena Farid Grace Hiro Ines Jonas Kavya Liam Marta Nils Olga Pavel Rosa Sven Tomas Yuki'.split(' ');

const HAN = `的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都
然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种
声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五
太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解
各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联
权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版
双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切客消`.replace(/\s/g, '');
const KANA = `です ます した して いる ある こと これ それ から まで ので けど ください ありがとう という ように について される
できる テスト データ ファイル エラー システム ユーザー サーバー プログラム メッセージ コンピュータ インターネット を に は が で と も の へ`.split(/\s+/);
const HANGUL = `안녕하세요 그리고 하지만 그래서 파일을 확인 결과 오류가 발생 했습니다 입니다 있는 없는 사용자 데이터 시스템 프로그램 다음 단계
테스트 실행 하세요 수정 추가 삭제 변경 완료 시간 사람 생각 문제 해결 방법 우리 나라 한국어 메시지 서버 연결 이것은 무엇 어떻게`.split(/\s+/);
const CYRILLIC = `и в не на я что он с как это по но они мы если для работа файл ошибка программ систем пользовател сообщени
результат команд данн запуск проверк изменени время человек вопрос ответ новый больш може говор дела зна хорош друг стран город`.split(/\s+/);
const CYRILLIC_ENDINGS = ['', 'а', 'ы', 'ов', 'ом', 'ами', 'ах', 'у', 'е', 'ий', 'ать', 'ает', 'ил', 'ого'];
const OTHERS = `مرحبا العالم هذا الملف يحتوي على خطأ في النظام شكرا لك من فضلك البيانات المستخدم नमस्ते दुनिया यह एक फ़ाइल है
में त्रुटि डेटा उपयोगकर्ता कृपया धन्यवाद สวัสดี ชาวโลก ไฟล์ นี้ มี ข้อผิดพลาด ใน ระบบ ขอบคุณ γεια σου κόσμε αρχείο σφάλμα σύστημα
שלום עולם קובץ שגיאה מערכת xin chào thế giới lỗi trong tệp này größe über straße café déjà naïve año niño`.split(/\s+/);

const [directory, megabytes] = process.argv.slice(2);
const next = random(2024);
const pick = list => list[next() * list.length | 0];
// A rank drawn by Zipf's law from count of them.
const zipf = count => Math.min(count - 1, Math.exp(next() * Math.log(count)) - 1 | 0);
const from = list => list[zipf(list.length)];
const repeat = (low, high, f, joint = '') => Array.from({ length: low + next() * (high - low + 1) | 0 }, f).join(joint);
const capital = s => s[0].toUpperCase() + s.slice(1);
const hex = n => repeat(n, n, () => '0123456789abcdef'[next() * 16 | 0]);

const stem = () => STEMS[(zipf(STEMS.length) * 7919) % STEMS.length];
const WORDS = Array.from({ length: 12000 }, () => pick(BEGINNINGS) + stem() + pick(ENDINGS));
const word = () => next() < 0.5 ? from(COMMON) : next() < 0.04 ? pick(NAMES) : from(WORDS);
const number = () => String(Math.floor(10 ** (next() * 6)));
const name = () => next() < 0.5 ? stem() + capital(pick(STEMS)) : `${stem()}_${pick(STEMS)}`;
const path = () => `/${repeat(1, 4, () => stem(), '/')}/${name()}.${pick(['c', 'py', 'js', 'ts', 'go', 'rs', 'json', 'md'])}`;

function sentence() {
	let s = capital(repeat(4, 22, () => {
		const r = next();
		return word() + (r < 0.08 ? ',' : r < 0.1 ? ':' : r < 0.11 ? ` \`${name()}()\`` : r < 0.12 ? ` ${number()}` : r < 0.125 ? ' —' : '');
	}, ' '));
	return s + pick(['.', '.', '.', '.', '?', '!', '...']);
}

const CHAT = [
	() => repeat(2, 6, sentence, ' ') + '\n\n',
	() => repeat(2, 6, sentence, ' ') + '\n',
	() => `## ${capital(word())} ${word()} ${word()}\n\n`,
	() => repeat(2, 5, () => `- **${capital(word())} ${word()}**: ${sentence()}`, '\n') + '\n\n',
	() => repeat(2, 5, (_, i) => `${i + 1}. ${sentence()}`, '\n') + '\n\n',
	() => `"${sentence()}" said ${pick(NAMES)}. ${sentence()}\n`,
];

const statement = indent => `${indent}${pick([
	() => `${name()} = ${name()}(${name()}, ${number()});`,
	() => `if (${name()} ${pick(['==', '!=', '<', '>='])} ${next() < 0.5 ? name() : number()}) {\n${indent}    return ${name()};\n${indent}}`,
	() => `for (int i = 0; i < ${name()}.length; i++) {\n${indent}    ${name()}[i] += ${number()};\n${indent}}`,
	() => `const ${name()} = await ${name()}.${name()}("${word()} ${word()}");`,
	() => `// ${sentence()}`,
	() => `${name()}->${name()} = (struct ${name()} *)${name()};`,
	() => `throw new ${capital(name())}Error(\`${word()} \${${name()}} ${word()}\`);`,
])()}\n`;

const CODE = [
	() => `static int\n${name()}(const char *${name()}, size_t ${stem()})\n{\n${repeat(3, 9, () => statement('\t'))}\treturn 0;\n}\n\n`,
	() => `    def ${name()}(self, ${name()}=None):\n        """${sentence()}"""\n${repeat(2, 6, () => `        self.${name()} = ${name()}["${stem()}"]\n`)}\n`,
	() => `export async function ${name()}(${name()}: ${capital(stem())}): Promise<void> {\n${repeat(3, 8, () => statement('  '))}}\n\n`,
	() => `{"id":"call_${hex(24)}","type":"function","function":{"name":"${name()}","arguments":"{\\"path\\":\\"${path()}\\",\\"limit\\":${number()}}"}}\n`,
	() => `[\n${repeat(2, 8, () => `  {\n    "${name()}": "${word()} ${word()}",\n    "${stem()}": ${number()},\n    "ok": ${pick(['true', 'false', 'null'])}\n  }`, ',\n')}\n]\n`,
	() => repeat(3, 10, () => `2025-0${1 + next() * 9 | 0}-${10 + next() * 18 | 0}T${10 + next() * 13 | 0}:${10 + next() * 49 | 0}:${10 + next() * 49 | 0}.${number()}Z [${pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])}] ${name()}: ${word()} ${word()} ${path()}:${number()}\n`),
	() => repeat(2, 6, () => `-rw-r--r--  1 root root ${number().padStart(8)} Nov ${10 + next() * 19 | 0} 00:${10 + next() * 49 | 0} ${name()}.${pick(['c', 'h', 'o', 'txt'])}\n`),
	() => `diff --git a${path()} b${path()}\nindex ${hex(7)}..${hex(7)} 100644\n@@ -${number()},7 +${number()},8 @@\n${repeat(3, 8, () => pick([' ', '+', '-']) + statement('\t'))}`,
	() => `E       AssertionError: assert ${number()} == ${number()}\n${path()}:${number()}: AssertionError\n=========== ${number()} failed, ${number()} passed in ${next().toFixed(2)}s ===========\n`,
];

const HAN_WORDS = Array.from({ length: 6000 }, () => repeat(1, 3, () => HAN[zipf(HAN.length)]));
const han = () => from(HAN_WORDS);
const chinese = () => repeat(2, 7, () => repeat(2, 9, han), '，') + pick(['。', '。', '？', '！', '。\n']);
const japanese = () => repeat(2, 6, () => repeat(1, 2, han) + from(KANA) + (next() < 0.3 ? from(KANA) : '')) + pick(['。', '、', '。\n']);
const korean = () => repeat(4, 12, () => from(HANGUL), ' ') + pick(['. ', '? ', '.\n']);
const russian = () => capital(repeat(4, 14, () => from(CYRILLIC) + (next() < 0.6 ? from(CYRILLIC_ENDINGS) : ''), ' ')) + pick(['. ', '? ', '.\n']);
const other = () => repeat(4, 12, () => from(OTHERS), ' ') + '\n';
const SCRIPTS = [chinese, chinese, chinese, chinese, japanese, japanese, korean, russian, other,
	() => `${sentence()} 🙂\n`, () => `\`${name()}()\` ${chinese()}`];

function write(file, parts) {
	const fd = openSync(join(directory, file), 'w');
	for (let left = megabytes * 1e6; left > 0;) {
		const bytes = Buffer.from(repeat(200, 200, () => pick(parts)()));
		writeSync(fd, bytes);
		left -= bytes.length;
	}
	closeSync(fd);
}

write('chat.txt', CHAT);
write('code.txt', CODE);
write('scripts.txt', SCRIPTS);
