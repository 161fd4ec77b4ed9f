// The body of a function of root (the element that holds the HTML) and data (see frames() beside it). Lengths in mm.
const { saw, pipe } = data, last = data.F.length - 1, span = data.end - data.begin, pace = span / data.shown;
const one = selector => root.querySelector(selector), show = name => one(`[data-show="${name}"]`);
const fixed = (value, digits) => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

function put(parent, name, attributes, text) {
  const node = document.createElementNS("http:" + "//www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return parent.appendChild(node);
}
const set = (node, attributes) => { for (const key in attributes) node.setAttribute(key, attributes[key]); };
const points = list => list.map(([y, z], i) => (i ? "L" : "M") + y.toFixed(2) + " " + (-z).toFixed(2)).join("");
const ring = (y, z, r) => `M${y - r} ${-z}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

function view(name, y, z, wide, high) {  // a picture whose units are mm, its letters in pixels
  const svg = one(`svg[data-view="${name}"]`);
  set(svg, { viewBox: `${y} ${-z - high} ${wide} ${high}` });
  new ResizeObserver(() => svg.style.setProperty("--u", wide / (svg.clientWidth || wide))).observe(svg);
  return svg;
}

function ruler(svg, y, z, length, text) {
  put(svg, "path", { d: `M${y} ${-z}h${length}`, class: "line", stroke: "var(--muted)", "stroke-width": 2 });
  put(svg, "text", { x: y + length / 2, y: -z, dy: "-0.5em", "text-anchor": "middle", class: "halo" }, text);
}

function blade() {  // teeth with their steep side ahead, holes to see it turn by
  const pitch = 2 * Math.PI / saw.teeth, sense = Math.sign(saw.w), low = saw.R - 5;
  const at = (r, a) => `${(r * Math.cos(a)).toFixed(3)} ${(-r * Math.sin(a)).toFixed(3)}`;
  let path = "";
  for (let n = 0; n < saw.teeth; n++) {
    const tip = n * pitch * sense;
    path += `${n ? "L" : "M"}${at(saw.R, tip)}L${at(low, tip + 0.04 * pitch * sense)}L${at(low, tip + 0.3 * pitch * sense)}`;
  }
  path += "z";
  for (let n = 0; n < 12; n++) path += ring(107 * Math.cos(n * Math.PI / 6), 107 * Math.sin(n * Math.PI / 6), n % 2 ? 5 : 9);
  return path + ring(0, 0, 13);
}

// ---- close up
const frame = { y: pipe.y - 212, z: pipe.z - 88, wide: 262, high: 176 };
const near = view("cut", frame.y, frame.z, frame.wide, frame.high);
const shape = ring(pipe.y, pipe.z, pipe.r_o) + ring(pipe.y, pipe.z, pipe.r_i);
const unique = root.id || "cut", box = { x: frame.y, y: -frame.z - frame.high, width: frame.wide, height: frame.high };
const mask = put(put(near, "defs"), "mask", { id: `${unique}-left`, maskUnits: "userSpaceOnUse", ...box });
put(mask, "rect", { ...box, fill: "#fff" });
const swept = put(mask, "path", {  // a disc along the tool's path: a stroke as wide as the saw
  fill: "none", stroke: "#000", "stroke-width": 2 * saw.R, "stroke-linecap": "round", "stroke-linejoin": "round" });
put(near, "path", { d: shape, "fill-rule": "evenodd", fill: "var(--s1)", "fill-opacity": 0.2 });
const disc = put(near, "g"), wheel = put(disc, "path", { d: blade(), "fill-rule": "evenodd", fill: "var(--s8)",
  "fill-opacity": 0.34, stroke: "var(--muted)", "stroke-width": 1, "vector-effect": "non-scaling-stroke" });
put(near, "path", { d: shape, class: "line", stroke: "var(--s1)", "stroke-width": 1, "stroke-dasharray": "3 3" });
put(put(near, "g", { mask: `url(#${unique}-left)` }), "path", { d: shape, "fill-rule": "evenodd", fill: "var(--s1)",
  stroke: "var(--s1)", "stroke-width": 1.5, "vector-effect": "non-scaling-stroke" });
const bites = put(near, "path", { class: "line", stroke: "var(--s2)", "stroke-width": 4 });
put(near, "path", { d: `M${data.tool[0][0]} ${-data.tool[0][1]}H${data.tool[last][0]}`, class: "line", stroke: "var(--muted)", "stroke-width": 1, "stroke-dasharray": "2 4" });
const centre = put(near, "g");
put(centre, "path", { d: "M-7 0H7M0 -7V7", class: "line", stroke: "var(--ink)", "stroke-width": 1.5 });
put(centre, "circle", { r: 2.4, fill: "var(--ink)" });
put(centre, "text", { y: 13, dy: "1em", "text-anchor": "middle", class: "halo" }, "tool point");
const shaft = put(near, "path", { class: "line", stroke: "var(--s2)", "stroke-width": 3 });
const head = put(near, "path", { fill: "var(--s2)" });
const told = put(near, "text", { class: "force halo", "text-anchor": "end" });
put(near, "text", { x: pipe.y, y: -pipe.z - pipe.r_o - 5, "text-anchor": "middle", class: "halo" }, "pipe");
ruler(near, frame.y + frame.wide - 34, frame.z + 7, 20, "20 mm");

function angle(d, r) {  // half of the rim's angle inside a circle of radius r at distance d
  const c = (d * d + saw.R * saw.R - r * r) / (2 * d * saw.R);
  return c >= 1 ? 0 : Math.acos(Math.max(c, -1));
}

function contact(y, z) {  // where the rim lies in the wall; its half-angles
  const d = Math.hypot(pipe.y - y, pipe.z - z), to = Math.atan2(pipe.z - z, pipe.y - y);
  const outer = angle(d, pipe.r_o), inner = angle(d, pipe.r_i);
  const at = a => `${(y + saw.R * Math.cos(a)).toFixed(3)} ${(-z - saw.R * Math.sin(a)).toFixed(3)}`;
  const arc = (a, b) => `M${at(a)}A${saw.R} ${saw.R} 0 0 0 ${at(b)}`;
  const path = !outer ? "" : inner ? arc(to - outer, to - inner) + arc(to + inner, to + outer) : arc(to - outer, to + outer);
  return { path, outer, inner, rim: [y + saw.R * Math.cos(to), z + saw.R * Math.sin(to)], d };
}

const strongest = Math.max(...data.F, 1e-9);
function arrow([y, z], F_y, F_z, F) {
  const long = 78 * Math.hypot(F_y, F_z) / strongest, seen = long > 1;
  for (const node of [shaft, head, told]) node.style.display = seen ? "" : "none";
  if (!seen) return;
  const u = [F_y, -F_z].map(part => part / Math.hypot(F_y, F_z)), tip = [y + long * u[0], -z + long * u[1]];
  const size = Math.min(8, long), foot = [tip[0] - size * u[0], tip[1] - size * u[1]], half = 0.42 * size;
  set(shaft, { d: `M${y} ${-z}L${foot[0]} ${foot[1]}` });
  set(head, { d: `M${tip[0]} ${tip[1]}L${foot[0] - half * u[1]} ${foot[1] + half * u[0]}L${foot[0] + half * u[1]} ${foot[1] - half * u[0]}z` });
  set(told, { x: tip[0] - 5, y: tip[1] + 4 });
  told.textContent = `${fixed(F, 0)} N`;
}

// ---- arm
const side = view("arm", -420, -1790, 3400, 2200), bar = (width, colour) => put(side, "path", {
  fill: "none", stroke: `var(--${colour})`, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
put(side, "path", { d: "M-170 330H170L230 620H-230z", fill: "var(--s8)", "fill-opacity": 0.45 });
put(side, "path", { d: "M-330 620H330", class: "line", stroke: "var(--muted)", "stroke-width": 2 });
put(side, "rect", { x: -110, y: -130, width: 220, height: 460, fill: "var(--s8)" });
put(side, "path", { d: "M0 -330V720", class: "line", stroke: "var(--muted)", "stroke-width": 1, "stroke-dasharray": "10 4 2 4" });
put(side, "text", { x: 40, y: -250, class: "halo" }, "slewing axis");
put(side, "path", { d: ring(pipe.y, pipe.z, pipe.r_o), fill: "var(--s1)" });
const boom = bar(110, "s6"), sleeve = bar(190, "s8"), link3 = bar(105, "accent"), link4 = bar(85, "accent"), tool = bar(50, "accent");
set(sleeve, { d: "M-180 0H1080" });
const plate = put(side, "circle", { r: saw.R, fill: "var(--s8)", "fill-opacity": 0.4, stroke: "var(--muted)", class: "plate" });
plate.style.vectorEffect = "non-scaling-stroke";
const pins = [0, 1, 2, 3].map(() => put(side, "circle", { r: 30, fill: "var(--card)", stroke: "var(--ink)", "stroke-width": 12 }));
const names = ["joint 3", "joint 4", "wrist"].map(text => put(side, "text", { class: "halo" }, text));
put(side, "text", { x: 590, y: 185, dy: "0.3em", "text-anchor": "middle", class: "halo" }, "boom slides");
put(side, "rect", { x: frame.y, y: -frame.z - frame.high, width: frame.wide, height: frame.high, class: "line", stroke: "var(--s2)", "stroke-width": 1.5 });
put(side, "text", { x: frame.y - 190, y: -frame.z, "text-anchor": "end", class: "halo" }, "close up");
ruler(side, -330, -1700, 500, "0.5 m");

// ---- force over time
const strip = one('svg[data-view="force"]');
let toX = () => 0, cursor, dot;
function chart() {
  const wide = Math.max(strip.clientWidth, 200), high = 132, area = { left: 40, right: wide - 14, top: 10, low: high - 24 };
  const top = 1.06 * Math.max(...data.high, 1e-9), step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(n => top / n <= 4) || 2000;
  const x = t => area.left + (area.right - area.left) * (t - data.begin) / span, y = F => area.low - (area.low - area.top) * F / top;
  const time = i => data.begin + span * i / last, line = (list, back) => list.map((F, i) => `${x(time(i)).toFixed(1)} ${y(F).toFixed(1)}`);
  strip.replaceChildren();
  set(strip, { viewBox: `0 0 ${wide} ${high}` });
  for (let F = 0; F <= top; F += step) {
    put(strip, "path", { d: `M${area.left} ${y(F)}H${area.right}`, class: "line", stroke: "var(--grid)" });
    put(strip, "text", { x: area.left - 6, y: y(F), dy: "0.35em", "text-anchor": "end" }, F);
  }
  const every = span / [8, 4, 2].find(n => n * 56 < area.right - area.left || n === 2);
  for (let t = data.begin; t <= data.end + 1e-9; t += every) {
    const edge = t > data.end - every / 2;
    put(strip, "text", { x: x(t) + (edge ? 6 : 0), y: high - 7, "text-anchor": edge ? "end" : "middle" }, edge ? `${+t.toPrecision(4)} s` : +t.toPrecision(4));
  }
  put(strip, "path", { d: `M${line(data.high).join("L")}L${line(data.low).reverse().join("L")}z`, fill: "var(--s2)", "fill-opacity": 0.2 });
  put(strip, "path", { d: `M${line(data.F).join("L")}`, class: "line", stroke: "var(--s2)", "stroke-width": 2 });
  cursor = put(strip, "path", { class: "line", stroke: "var(--ink)", "stroke-width": 1.5 });
  dot = put(strip, "circle", { r: 4.5, fill: "var(--s2)", stroke: "var(--card)", "stroke-width": 1.5 });
  toX = (t, F) => { set(cursor, { d: `M${x(t)} ${area.top}V${area.low}` }); set(dot, { cx: x(t), cy: y(F) }); };
  strip.seek = at => data.begin + span * clamp((at - area.left) / (area.right - area.left), 0, 1);
}

// ---- one instant
const button = one("button"), slider = one("input");
set(slider, { max: span, step: span / last });
show("whole").textContent = `of ${fixed(data.tool[last][0] - data.tool[0][0], 0)} mm`;
show("note").textContent = `${fixed(span, 0)} s are shown in ${fixed(data.shown, 0)} s. Force and arrow are means over ${+(span / last).toPrecision(2)} s, ` +
  "the force as it acts on the tool; the peak is the highest within. Orange: where the rim is in the wall. " +
  `Pale: what has been cut away. The saw makes ${fixed(Math.abs(saw.w) * 30 / Math.PI, 0)} turns a minute; it is drawn turning slower, or its teeth would blur.`;
let now = data.begin, playing = false, before = 0;

function phase({ d, outer, inner }) {
  if (d >= saw.R + pipe.r_o) return "on its way";
  if (!outer) return "through";
  if (inner) return "in both sides";
  return d > saw.R ? "in the near wall" : "in the far wall";
}

function draw() {
  const place = clamp((now - data.begin) / span * last, 0, last), i = Math.min(Math.floor(place), last - 1), share = place - i;
  const mix = list => Array.isArray(list[i]) ? list[i].map((a, k) => a + share * (list[i + 1][k] - a)) : list[i] + share * (list[i + 1] - list[i]);
  const [y, z] = mix(data.tool), F = mix(data.F), touch = contact(y, z);
  set(swept, { d: points([...data.tool.slice(0, i + 1), [y, z], [y, z + 1e-3]]) });
  set(disc, { transform: `translate(${y} ${-z})` });
  set(wheel, { transform: `rotate(${-(now * saw.w / 40 * 180 / Math.PI) % 360})` });
  set(centre, { transform: `translate(${y} ${-z})` });
  set(bites, { d: touch.path });
  arrow(touch.rim, mix(data.F_y), mix(data.F_z), F);
  const three = mix(data.arm.joint_3), four = mix(data.arm.joint_4), wrist = mix(data.arm.wrist);
  set(boom, { d: points([[0, 0], three]) }); set(link3, { d: points([three, four]) });
  set(link4, { d: points([four, wrist]) }); set(tool, { d: points([wrist, [y, z]]) });
  set(plate, { cx: y, cy: -z });
  [three, four, wrist, [y, z]].forEach((p, k) => set(pins[k], { cx: p[0], cy: -p[1], r: k < 3 ? 30 : 14 }));
  [three, four, wrist].forEach((p, k) => set(names[k], { x: p[0] + (k ? 90 : -20), y: -p[1] - (k ? 20 : 110) }));
  toX(now, F);
  show("time").textContent = fixed(now, 1);
  show("feed").textContent = fixed(y - data.tool[0][0], 1);
  show("mean").textContent = fixed(F, 0);
  show("peak").textContent = fixed(data.high[Math.round(place)], 0);
  show("off").textContent = mix(data.off).map(e => fixed(e, 0).replace("-", "\u2212")).join(", ");
  show("phase").textContent = phase(touch);
  slider.value = now - data.begin;
  slider.setAttribute("aria-valuetext", `${fixed(now, 1)} seconds, ${fixed(F, 0)} newtons`);
}

function play(on) {
  if (on && now >= data.end) now = data.begin;
  playing = on; before = 0;
  button.textContent = on ? "Pause" : now >= data.end ? "Replay" : "Play";
  if (on) requestAnimationFrame(tick);
}

function tick(stamp) {
  if (!playing) return;
  if (before) now = Math.min(now + clamp((stamp - before) / 1e3, 0, 0.1) * pace, data.end);
  before = stamp;
  draw();
  if (now >= data.end) play(false); else requestAnimationFrame(tick);
}

function seek(t) { now = clamp(t, data.begin, data.end); play(false); draw(); }

button.addEventListener("click", () => play(!playing));
slider.addEventListener("input", () => seek(data.begin + Number(slider.value)));
for (const kind of ["pointerdown", "pointermove"]) strip.addEventListener(kind, event => {
  if (event.buttons & 1) seek(strip.seek(event.clientX - strip.getBoundingClientRect().left));
});
let size = 0;
new ResizeObserver(() => { if (strip.clientWidth !== size) { size = strip.clientWidth; chart(); draw(); } }).observe(strip);
function asked() {  // page.html#t=120 shows that instant
  const found = /[#&]t=(\d+(?:\.\d+)?)/.exec(location.hash);
  if (found) seek(Number(found[1]));
  return found;
}
addEventListener("hashchange", asked);
chart(); draw();
const begins = !asked() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
let first = begins;
new IntersectionObserver(seen => {  // begins when first seen, rests while out of sight
  const visible = seen[seen.length - 1].isIntersecting;
  if (visible && first) { first = false; play(true); } else if (!visible && playing) play(false);
}, { threshold: 0.3 }).observe(one(".cut-views"));
