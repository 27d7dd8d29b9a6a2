// Writes the data of a page as a TypeScript file that gives it the generated type, for the type checker.
//
//   node data_types.mjs PAGE.html OUTPUT.ts

import { readFileSync, writeFileSync } from "node:fs";

const [page, output] = process.argv.slice(2);
const data = /<script id="data" type="application\/json">(.*?)<\/script>/s.exec(readFileSync(page, "utf8"))[1];
writeFileSync(output, `import type { Data } from "profile-schema";\nexport const data: Data = ${data};\n`);
