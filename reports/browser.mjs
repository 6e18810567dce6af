// Writes the databases and pages that the browser test opens, and opens them in headless Chromium with the network off.
// node browser_test.mjs REPORT REPORT_TESTDATA CHROMIUM NPM_FOLDER WORK_FOLDER; exit code 77 if it cannot run.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const [report, testdata, chromiumPath, npmFolder, work] = process.argv.slice(2);
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
if (!existsSync(chromiumPath || "")) skip("chromium was not found");
if (!existsSync(join(npmFolder, "node_modules/playwright-core"))) skip("playwright-core was not fetched by npm");
const { chromium } = createRequire(join(npmFolder, "/"))("playwright-core");

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const contents = ["filled", "boards", "large", "empty"];
for (const content of contents) {
  execFileSync(testdata, [join(work, `${content}.db`), content]);
  execFileSync(report, ["--db", join(work, `${content}.db`), "--out", join(work, content)]);
}
export const pagesOf = (content) => readdirSync(join(work, content));
export const pageOf = (content, start) => join(work, content, pagesOf(content).find((name) => name.startsWith(start)));

export const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
export const open = async (path, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  if (path) await page.goto(pathToFileURL(path).href);
  return { page, context, complaints };
};
