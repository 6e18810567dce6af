// Checks of how pages fit windows: widths, whole names, cards on small screens, room for tables.
import assert from "node:assert/strict";
import { join } from "node:path";
import { open, pageOf, pagesOf, work } from "./browser.mjs";

export const layouts = {
  async "every page is as wide as its window, in both themes, without complaints"() {
    for (const content of ["filled", "boards", "empty"]) {
      for (const name of pagesOf(content)) {
        const { page, context, complaints } = await open(join(work, content, name));
        for (const [width, colorScheme] of [[320, "light"], [390, "dark"], [800, "light"], [1440, "dark"], [2560, "light"]]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          const is = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(is <= width, `${content}/${name} is ${is} px wide in a window of ${width}`);
        }
        assert.deepEqual(complaints, [], `${content}/${name}`);
        await context.close();
      }
    }
  },

  async "the index cuts nothing off, and on phones controls are 2.5 rem high"() {
    for (const [content, width] of [["filled", 1280], ["boards", 1280], ["filled", 1080], ["filled", 390], ["boards", 768]]) {
      const { page, context } = await open(join(work, content, "index.html"), { viewport: { width, height: 900 } });
      const cut = await page.evaluate(() => [...document.querySelectorAll("#boards td, #sessions td, #nights td")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(cut, [], `${content} at ${width}`);
      await context.close();
    }
    for (const name of ["sm_90.html", "sm_90-reduce"]) {
      const { page, context } = await open(pageOf("filled", name), { viewport: { width: 390, height: 844 } });
      const low = await page.evaluate(() => {
        const least = 2.5 * parseFloat(getComputedStyle(document.documentElement).fontSize) - 0.5;
        return [...document.querySelectorAll("button, select, summary, .choice span, nav a, tbody th a")]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < least)
          .map((one) => `${one.getBoundingClientRect().height} ${one.outerHTML.slice(0, 80)}`);
      });
      assert.deepEqual(low, [], name);
      await context.close();
    }
  },

  async "on phones axes are above their dots, and a row says what its last bar is"() {
    const index = await open(join(work, "boards", "index.html"), { viewport: { width: 390, height: 844 } });
    const apart = await index.page.evaluate(() => {
      const across = (one) => one.getBoundingClientRect();
      const table = document.querySelector(".losses");
      const ticks = [...table.querySelectorAll("thead text")].map((one) => (across(one).left + across(one).right) / 2);
      const lines = [...table.querySelector("tbody svg").querySelectorAll(".grid")].map((one) => across(one).left);
      return ticks.map((x, i) => Math.round(x - lines[i]));
    });
    assert.deepEqual(apart.filter((one) => Math.abs(one) > 2), []);
    await index.context.close();
    const { page, context } = await open(pageOf("filled", "sm_90.html"), { viewport: { width: 390, height: 844 } });
    const label = await page.evaluate(() => getComputedStyle(document.querySelector(".t-searched .searched"), "::before").content);
    assert.equal(label, '"searched"');
    await context.close();
  },

  async "long names of kernels end lines after underscores only, and rows have room for them"() {
    for (const width of [390, 1280]) {
      const { page, context } = await open(pageOf("filled", "sm_90-reduce"), { viewport: { width, height: 900 } });
      const bad = await page.evaluate(() => [...document.querySelectorAll(".checked tbody th, .ladder li:not(.head) > span")]
        .filter((one) => {
          one.innerHTML = "1 cooperative_<wbr>reductions_<wbr>of_<wbr>groups";
          const text = document.createRange();
          text.selectNodeContents(one);
          const lines = new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size;
          return lines > 4 || text.getBoundingClientRect().height > one.parentElement.getBoundingClientRect().height + 4;
        })
        .map((one) => one.outerHTML));
      assert.deepEqual(bad, [], `${width}`);
      await context.close();
    }
  },

  async "many params, in two tables, have as much room as the result beside them"() {
    const { page, context } = await open(pageOf("filled", "sm_90-reduce"));
    const widths = () => page.evaluate(() => ["#result", "#best"].map((id) => document.querySelector(id).offsetWidth));
    const [result, best] = await widths();
    assert.ok(result > 1.5 * best, `${result} and ${best} px`);
    await page.evaluate(() => { document.querySelector("#best table").outerHTML = "<div class=columns></div>"; });
    const [left, right] = await widths();
    assert.ok(Math.abs(left - right) <= 2, `${left} and ${right} px`);
    await context.close();
  },

  async "an open row of the overview shows whole names, and a closed one is a line of the screen"() {
    const cut = () => [...document.querySelectorAll("tbody .names .b, tbody .names small, tbody .t-us small")]
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 80));
    for (const width of [320, 390, 768, 1440]) {
      const { page, context } = await open(pageOf("boards", "sm_90.html"), { viewport: { width, height: 900 } });
      await page.evaluate(() => document.querySelectorAll("tbody .names small, tbody .names .title").forEach((one) => {
        one.textContent = "2\u00B2\u2076 float, kind=inclusive, op=sum, tolerance=0.0009765625, data=kept:0.5";
      }));
      const row = page.locator("#reduce tr:first-child");
      const closed = await row.boundingBox();
      if (width > 1080) assert.ok((await page.evaluate(cut)).length > 0 && closed.height < 40, `${closed.height} px high`);
      await page.locator("#expand").evaluate((button) => button.click());
      assert.deepEqual(await page.evaluate(cut), [], `${width}`);
      const [settings, next] = await page.evaluate(() => ["#reduce .settings td > div", "#reduce + tbody"]
        .map((one) => document.querySelector(one)?.getBoundingClientRect()));
      if (next) assert.ok(settings.bottom <= next.top + 1, "the settings end before the next row");
      await context.close();
    }
  },

  async "boards side by side have their names and numbers on the same lines"() {
    for (const width of [390, 1440]) {
      const { page, context } = await open(pageOf("boards", "sm_90.html"), { viewport: { width, height: 900 } });
      await page.locator("label:has(#side-by-side)").click();
      await page.locator("#expand").evaluate((button) => button.click());
      const apart = await page.evaluate(() => [...document.querySelectorAll("tbody tr:not(.settings, .whole)")].flatMap((row) => {
        const tops = (cell) => [...row.querySelectorAll(`${cell} .b`)].map((one) => one.getBoundingClientRect().top);
        const [names, marks] = [tops("th"), tops(".t-certainty")];
        return names.map((top, i) => Math.abs(top - marks[i])).filter((distance) => distance > 4);
      }));
      assert.deepEqual(apart, [], `${width}`);
      assert.ok(await page.locator("tr.whole").evaluateAll((rows) => rows.every((row) => row.textContent.length > 4)));
      await context.close();
    }
  },

  async "long values at the ends of an axis are whole on phones"() {
    const { page, context } = await open(pageOf("filled", "sm_90-reduce"), { viewport: { width: 320, height: 800 } });
    const cut = await page.evaluate(() => {
      const box = document.querySelector("#lines").getBoundingClientRect();
      return [...document.querySelectorAll("#lines .lines-of:not([hidden]) .axis button")].filter((one) => {
        one.textContent = "last_block";
        const { left, right } = one.getBoundingClientRect();
        return left < box.left - 1 || right > box.right + 1;
      }).length;
    });
    assert.equal(cut, 0);
    await context.close();
  },

  async "no label of a plot is on another, and no name is cut"() {
    for (const content of ["filled", "boards"]) {
      for (const name of pagesOf(content).filter((one) => one.startsWith("sm_90-"))) {
        const { page, context } = await open(join(work, content, name));
        for (const width of [320, 390, 768, 1440, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          const found = await page.evaluate(() => {
            const visible = (selector, within = document) => [...within.querySelectorAll(selector)]
              .filter((one) => one.checkVisibility() && one.textContent.trim());
            const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
                                      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
            const pairs = visible(".plot > svg").flatMap((plot) => {
              const texts = visible("text", plot).map((one) => [one.textContent, one.getBoundingClientRect()]);
              return texts.flatMap(([a, box], i) => texts.slice(i + 1).filter(([, other]) => overlap(box, other))
                .map(([b]) => `${a} on ${b}`));
            });
            const cut = visible(".result th, .effects span, .ladder span, .winners span, .checked th")
              .filter((one) => getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1);
            return pairs.concat(cut.map((one) => `cut: ${one.textContent}`));
          });
          assert.deepEqual(found, [], `${content}/${name} at ${width}`);
        }
        assert.ok(content !== "filled" || await page.locator("#roofline .plot").isVisible());
        await context.close();
      }
    }
  },
};
