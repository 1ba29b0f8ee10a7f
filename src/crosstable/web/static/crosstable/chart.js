// The server has drawn every chart; this makes one that can be zoomed, and whose points say what they are and lead there.
"use strict";

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function enhanced(figure) {
  const { days, columns, band, names, notes, decimals, words: said } = JSON.parse(figure.dataset.chart);
  const place = document.createElement("div");
  place.className = "uplot-place";
  const words = document.createElement("p");
  words.className = "small soft n noprint";
  words.textContent = said.hint;
  const number = (rating) => rating.toLocaleString(document.documentElement.lang, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false, signDisplay: "negative" }).replace("-", "−");
  let link = "";
  const line = (index, extra) => ({ label: names[index], stroke: css(index ? "--edge" : "--accent"), width: index ? 1 : 2, dash: index ? [3, 3] : undefined, spanGaps: true, points: { show: true, size: index ? 6 : 9, fill: css(index ? "--paper" : "--accent") }, ...extra });
  // The band comes first: what is drawn later lies above it.
  const series = [{}, ...band.map(() => ({ stroke: "transparent", spanGaps: true, points: { show: false } })), ...names.map((_, index) => line(index, {})), { label: said.official, stroke: css("--ink"), width: 1, spanGaps: true, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }];
  const axis = { stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { show: false }, font: "13px Inter, sans-serif" };
  // The last number of each line beside its end, none over another, as in the server's drawing.
  const last = (column) => column.findLast((rating) => rating != null);
  const ends = [...names.map((name, index) => [index ? name : said.live, last(columns[index]), index ? "--soft" : "--accent"]), [said.official, last(columns[names.length]), "--ink"]]
    .filter(([, rating]) => rating != null).sort((one, other) => other[1] - one[1]);
  const labelled = ({ ctx, bbox, scales, valToPos }) => {
    const dot = devicePixelRatio;
    let lowest = -Infinity;
    [ctx.textBaseline, ctx.textAlign] = ["middle", "left"];
    for (const [name, rating, colour] of ends) {
      if (rating < scales.y.min || rating > scales.y.max) continue;
      lowest = Math.max(valToPos(rating, "y", true), lowest + 18 * dot);
      ctx.font = `${colour === "--soft" ? 400 : 620} ${13 * dot}px Inter, sans-serif`;
      ctx.fillStyle = css(colour);
      ctx.fillText(`${name} ${number(rating)}`, bbox.left + bbox.width + 12 * dot, lowest);
    }
  };
  const options = {
    width: figure.clientWidth, height: Math.max(280, Math.min(400, figure.clientWidth * 0.42)), series,
    axes: [{ ...axis, grid: { show: false } }, { ...axis, space: 50, values: (_, ticks) => ticks.map(String) }], legend: { show: false }, bands: band.length ? [{ series: [1, 2], fill: css("--wash") }] : [], cursor: { focus: { prox: 30 }, y: false },
    padding: [null, 160, null, null], hooks: { draw: [labelled], setCursor: [(chart) => {
      const at = chart.cursor.idx;
      const found = at == null ? [] : names.map((name, index) => [name, columns[index][at], notes[`${index + 1}:${at}`]]).filter(([, rating]) => rating != null);
      link = found.length ? found[0][2][1] : "";
      words.textContent = found.length ? found.map(([name, rating, note]) => `${note[0]}: ${name} ${number(rating)}`).join(" · ") : words.textContent;
    }] },
  };
  for (const drawing of figure.querySelectorAll(":scope > svg")) drawing.setAttribute("hidden", "");
  figure.prepend(place, words);
  const chart = new uPlot(options, [days, ...band, ...columns], place);
  let pressed = 0;
  chart.over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
  chart.over.addEventListener("click", (event) => { if (link && Math.abs(event.clientX - pressed) < 4) window.location = link; });
  new ResizeObserver(() => chart.setSize({ width: figure.clientWidth, height: options.height })).observe(figure);
}

// On a phone the server's drawing is the better one: a finger scrolls, it does not hover.
if (matchMedia("(hover: hover) and (width >= 44rem)").matches) {
  for (const figure of document.querySelectorAll("[data-chart]")) enhanced(figure);
}
