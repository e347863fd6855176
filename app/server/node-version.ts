/** The database's driver crashes older versions without a word, so the first thing a start does is to look. */
const major = Number(process.versions.node.split(".")[0]);

if (major < 22) {
  console.error(`Sealdesk needs Node 22.12 or newer, and this is ${process.versions.node}. Start it with: npm start`);
  process.exit(1);
}
