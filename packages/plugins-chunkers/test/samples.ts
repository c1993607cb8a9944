/** One of everything that markdown has. */
export const mixed = `Preamble before any heading, *with* \`code\`.

# Guide

Use \`\`\` to open a fence. A sentence. Another one, e.g. this! And 漢字の文です。次の文です。

\`\`\`ts title="a.ts"
const x = 1

# not a heading
${"call(x)\n".repeat(40)}\`\`\`

## Setup #

1. First
   - nested one
   - nested two

     \`\`\`sh
     # not a heading either
     ${"make it\n     ".repeat(30)}
     \`\`\`
2. Second
   > quoted
   > ~~~
   > ${"in a quote\n   > ".repeat(20)}
   > ~~~

##

| name | value |
|------|------:|
${Array.from({ length: 40 }, (_, row) => `| row ${row} | ${row * row} |`).join("\n")}

Setext
heading
---

<!--
# hidden
-->

    # indented code
    more

[ref]: https://example.org "title"

***

#### Deep

👩‍👩‍👧‍👦${"🇩🇪🇫🇷👍🏽".repeat(60)} e\u0301 ${"字".repeat(300)}

> # A heading in a quote
> text

~~~
never closed
${"line\n".repeat(60)}`
