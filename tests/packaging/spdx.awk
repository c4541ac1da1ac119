# The SPDX document of a release, from lines "TARBALL<TAB>SHA256": the tarballs, and what others wrote
# that is within them.  Variables: name, version, libc and gcc (versions), created.

function package(id, title, of, license, note) {
    printf ",\n    {\"SPDXID\":\"SPDXRef-%s\",\"name\":\"%s\",\"versionInfo\":\"%s\",", id, title, of
    printf "\"downloadLocation\":\"NOASSERTION\",\"filesAnalyzed\":false,\"licenseConcluded\":\"%s\",", license
    printf "\"licenseDeclared\":\"%s\",\"copyrightText\":\"NOASSERTION\",\"comment\":\"%s\"}", license, note
}

function relation(of, type, to) {
    printf "%s\n    {\"spdxElementId\":\"SPDXRef-%s\",\"relationshipType\":\"%s\",\"relatedSpdxElement\":\"SPDXRef-%s\"}",
        (relations++ ? "," : ""), of, type, to
}

BEGIN {
    printf "{\"spdxVersion\":\"SPDX-2.3\",\"dataLicense\":\"CC0-1.0\",\"SPDXID\":\"SPDXRef-DOCUMENT\",\"name\":\"%s\",\n", name
}

{
    tarball[NR] = $1
    sum[NR] = $2
}

END {
    # The namespace differs where a tarball does.
    printf "  \"documentNamespace\":\"urn:ctx:%s:%s\",\n", name, substr(sum[1], 1, 16) substr(sum[NR], 1, 16)
    printf "  \"creationInfo\":{\"created\":\"%s\",\"creators\":[\"Tool: ctx-make-dist\"]},\n  \"packages\":[", created
    for (i = 1; i <= NR; i++) {
        printf "%s\n    {\"SPDXID\":\"SPDXRef-tarball-%d\",\"name\":\"ctx\",\"versionInfo\":\"%s\",", (i > 1 ? "," : ""), i, version
        printf "\"packageFileName\":\"%s\",\"downloadLocation\":\"NOASSERTION\",\"filesAnalyzed\":false,", tarball[i]
        printf "\"checksums\":[{\"algorithm\":\"SHA256\",\"checksumValue\":\"%s\"}],\"licenseConcluded\":\"MIT\",", sum[i]
        printf "\"licenseDeclared\":\"MIT\",\"copyrightText\":\"Copyright (c) 2026 The ctx authors\"}"
    }
    package("ranks", "tiktoken rank files", "cl100k_base, o200k_base", "MIT", "common/tokens/vocab; compiled into share/ctx")
    package("unicode", "Unicode Character Database", "16.0.0", "Unicode-3.0", "common/tokens/unicode_table.c")
    package("libc", "GNU C Library", libc, "LGPL-2.1-or-later", "linked into the static commands")
    package("libgcc", "GCC runtime library", gcc, "GPL-3.0-or-later WITH GCC-exception-3.1", "linked into the static commands")
    printf "],\n  \"relationships\":["
    for (i = 1; i <= NR; i++) {
        relation("DOCUMENT", "DESCRIBES", "tarball-" i)
        relation("tarball-" i, "CONTAINS", "ranks")
        relation("tarball-" i, "CONTAINS", "unicode")
        if (tarball[i] ~ /-linux-/) {
            relation("tarball-" i, "STATIC_LINK", "libc")
            relation("tarball-" i, "STATIC_LINK", "libgcc")
        }
    }
    printf "]}\n"
}
