// A whole process that renders the prompt by dotprompt and prints it: node render.mjs FOLDER, with `dotprompt` installed in
// the folder NODE_MODULES names.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { Dotprompt } = createRequire(`${process.env.NODE_MODULES}/`)("dotprompt");
const folder = process.argv[2];
const source = readFileSync(`${folder}/prompt.prompt`, "utf8");
const input = JSON.parse(readFileSync(`${folder}/values.json`, "utf8"));
const rendered = await new Dotprompt().render(source, { input });
process.stdout.write(rendered.messages.flatMap((message) => message.content.map((part) => part.text)).join(""));
