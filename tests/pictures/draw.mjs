// Draws stories: reads them as JSON, {name: {record, query, width, acts}}, and writes by name what was on the page at
// first and after each act, with the address, what the picture has asked its host, and the files that it saved.

import { draw, record, saved, text } from "./stage.mjs";

const told = await new Promise((done) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => done(JSON.parse(all)));
});
const drawn = {};
for (const [name, { record: of, query, width, acts }] of Object.entries(told)) {
  const picture = await draw(await record(of), query, width);
  const seen = () => ({
    address: picture.address(),
    asked: picture.asked.splice(0),
    saved: saved.splice(0).map((file) => ({ name: file.name, text: file.blob?.text ?? "" })),
    lines: text(picture.root),
  });
  drawn[name] = [seen()];
  for (const act of acts) {
    try {
      await picture.act(act);
    } catch (error) {
      throw new Error(`${name}, ${act}: ${error.message}`, { cause: error });
    }
    drawn[name].push(seen());
  }
  picture.close();
}
process.stdout.write(JSON.stringify(drawn));
