// The body of a function of root (the element) and data (see cut_animation.py).
// A side view of the cut in the plane Y-Z: saw and pipe close up, the whole arm, the force over time.
const canvas = root.querySelector("canvas"), button = root.querySelector("button"), slider = root.querySelector("input");
const told = Object.fromEntries([...root.querySelectorAll("[data-value]")].map(node => [node.dataset.value, node]));
const pen = canvas.getContext("2d"), last = data.t.length - 1, end = data.t[last], TAU = 2 * Math.PI;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
let t = 0, playing = false, before = 0, theme = {}, width = 0, height = 0;

function colours() {
  const style = getComputedStyle(root), read = name => style.getPropertyValue(name).trim();
  for (const name of ["ink", "muted", "grid", "line", "card", "soft", "accent", "s1", "s2", "s3", "s5"]) theme[name] = read("--" + name);
}

function at(time) {  // every signal at a time, between its two frames
  const place = Math.min(Math.max(time / end * last, 0), last), i = Math.min(Math.floor(place), last - 1), share = place - i;
  const found = {};
  for (const [name, values] of Object.entries(data.signals)) found[name] = values[i] + share * (values[i + 1] - values[i]);
  return found;
}

function view(box, centre, metres) {  // metres across the box, to points on the screen
  const scale = Math.min(box.w / metres[0], box.h / metres[1]);
  return { scale, x: y => box.x + box.w / 2 + (y - centre[0]) * scale, y: z => box.y + box.h / 2 - (z - centre[1]) * scale };
}

function disc(v, y, z, r) { pen.beginPath(); pen.arc(v.x(y), v.y(z), r * v.scale, 0, TAU); }

function ring(v) {
  const [y, z] = data.pipe;
  disc(v, y, z, data.r_o);
  pen.moveTo(v.x(y) + data.r_i * v.scale, v.y(z));
  pen.arc(v.x(y), v.y(z), data.r_i * v.scale, 0, TAU, true);
}

function pipe(v, now) {  // what is left is what lies beyond the rim: all before it has been cut away
  ring(v); pen.fillStyle = theme.s2; pen.globalAlpha = 0.16; pen.fill(); pen.globalAlpha = 1;
  pen.setLineDash([3, 3]); pen.strokeStyle = theme.s2; pen.lineWidth = 1; pen.stroke(); pen.setLineDash([]);
  pen.save();
  pen.beginPath();
  const right = v.x(data.pipe[0] + 3 * data.r_o), top = v.y(now.z + data.R), bottom = v.y(now.z - data.R);
  pen.arc(v.x(now.y), v.y(now.z), data.R * v.scale, -Math.PI / 2, Math.PI / 2);
  pen.lineTo(right, bottom); pen.lineTo(right, top); pen.closePath();
  pen.clip();
  ring(v); pen.fillStyle = theme.s5; pen.fill(); pen.strokeStyle = theme.ink; pen.lineWidth = 1; pen.stroke();
  pen.restore();
}

function saw(v, now, fine) {  // it turns as fast on the screen as the real one does; in the played time it would blur
  const x = v.x(now.y), y = v.y(now.z), R = data.R * v.scale, turn = data.sense * data.w * t / data.pace, n = data.teeth;
  pen.beginPath();
  if (fine) {
    const [behind, ahead] = data.sense > 0 ? [-0.6, 0.1] : [-0.1, 0.6];  // the steep face of a tooth leads
    for (let k = 0; k < n; k++) {
      for (const [share, r] of [[behind, 0.955 * R], [0, R], [ahead, 0.955 * R]]) {
        const a = turn + (k + share) * TAU / n;
        pen.lineTo(x + r * Math.cos(a), y - r * Math.sin(a));
      }
    }
    pen.closePath();
  } else pen.arc(x, y, R, 0, TAU);
  pen.fillStyle = theme.muted; pen.globalAlpha = fine ? 0.42 : 0.6; pen.fill(); pen.globalAlpha = 1;
  pen.strokeStyle = theme.ink; pen.lineWidth = 1; pen.stroke();
  if (!fine) return;
  for (let k = 0; k < 5; k++) {  // holes, so that one sees it turn
    const a = turn + k * TAU / 5;
    pen.beginPath(); pen.arc(x + 0.58 * R * Math.cos(a), y - 0.58 * R * Math.sin(a), 0.09 * R, 0, TAU);
    pen.fillStyle = theme.card; pen.fill(); pen.stroke();
  }
  disc(v, now.y, now.z, 0.035); pen.fillStyle = theme.card; pen.fill(); pen.stroke();
}

function arrow(x, y, dx, dy, colour) {
  const long = Math.hypot(dx, dy);
  if (long < 3) return;
  const ux = dx / long, uy = dy / long, head = Math.min(11, long);
  pen.strokeStyle = pen.fillStyle = colour; pen.lineWidth = 3;
  pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + dx - head * ux, y + dy - head * uy); pen.stroke();
  pen.beginPath(); pen.moveTo(x + dx, y + dy);
  pen.lineTo(x + dx - head * ux - head / 2 * uy, y + dy - head * uy + head / 2 * ux);
  pen.lineTo(x + dx - head * ux + head / 2 * uy, y + dy - head * uy - head / 2 * ux);
  pen.closePath(); pen.fill();
}

function links(now) {  // points of the arm in Y and Z: slewing axis, joints 3 and 4, wrist, tool
  const [boom, upper, fore, tool] = data.lengths, pitch = now.q3 + now.q4;
  const a = [boom + now.q2, 0], b = [a[0] + upper * Math.cos(now.q3), upper * Math.sin(now.q3)];
  const c = [b[0] + fore * Math.cos(pitch), b[1] + fore * Math.sin(pitch)];
  return [[0, 0], a, b, c, [c[0] + tool * Math.cos(pitch), c[1] + tool * Math.sin(pitch)]];
}

function arm(v, now, slim) {
  const points = links(now), x = p => v.x(p[0]), y = p => v.y(p[1]);
  pen.lineCap = pen.lineJoin = "round";
  if (!slim) {  // foot, sleeve, boom
    pen.fillStyle = theme.muted; pen.globalAlpha = 0.35;
    pen.fillRect(v.x(-0.22), v.y(0.16), 0.44 * v.scale, 0.96 * v.scale);
    pen.fillRect(v.x(-0.3), v.y(0.1), 1.2 * v.scale, 0.2 * v.scale); pen.globalAlpha = 1;
  }
  const widths = slim ? [0, 0, 0.07, 0.045] : [0.11, 0.11, 0.09, 0.05];
  for (let k = 0; k < 4; k++) {
    if (!widths[k]) continue;
    pen.strokeStyle = theme.s1; pen.globalAlpha = slim ? 0.35 : 1; pen.lineWidth = widths[k] * v.scale;
    pen.beginPath(); pen.moveTo(x(points[k]), y(points[k])); pen.lineTo(x(points[k + 1]), y(points[k + 1])); pen.stroke();
  }
  pen.globalAlpha = 1;
  for (const p of slim ? points.slice(3, 4) : points.slice(0, 4)) {
    pen.beginPath(); pen.arc(x(p), y(p), (slim ? 0.02 : 0.05) * v.scale, 0, TAU);
    pen.fillStyle = theme.card; pen.fill(); pen.strokeStyle = theme.ink; pen.lineWidth = 1; pen.stroke();
  }
}

function label(text, x, y, colour, align, font) {  // on a halo, so that it can be read above anything
  pen.font = font || "12px system-ui, sans-serif"; pen.textAlign = align;
  pen.lineJoin = "round"; pen.lineWidth = 4; pen.strokeStyle = theme.card; pen.strokeText(text, x, y);
  pen.fillStyle = colour; pen.fillText(text, x, y);
}

function framed(box, title, paint) {
  pen.save();
  pen.beginPath(); pen.rect(box.x, box.y, box.w, box.h); pen.clip();
  paint();
  label(title, box.x + 8, box.y + 16, theme.muted, "left");
  pen.restore();
  pen.strokeStyle = theme.line; pen.lineWidth = 1; pen.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
}

function bar(v, box, metres, text) {  // a length to measure by
  const x = box.x + box.w - 12 - metres * v.scale, y = box.y + box.h - 12;
  pen.strokeStyle = pen.fillStyle = theme.muted; pen.lineWidth = 2;
  pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + metres * v.scale, y); pen.stroke();
  label(text, x + metres * v.scale / 2, y - 6, theme.muted, "center");
}

function closeUp(box, now) {
  const v = view(box, [data.pipe[0] - 0.125, data.pipe[1] + 0.012], [0.36, 0.375]);
  framed(box, "saw and pipe", () => {
    arm(v, now, true); pipe(v, now); saw(v, now, true);
    const long = 0.09 * v.scale / data.F_scale;
    arrow(v.x(now.y), v.y(now.z), now.F_y * long, -now.F_z * long, theme.s2);
    pen.beginPath(); pen.arc(v.x(now.y), v.y(now.z), 3.5, 0, TAU); pen.fillStyle = theme.ink; pen.fill();
    if (now.F > 1) {
      const x = v.x(now.y) + now.F_y * long, y = v.y(now.z) - now.F_z * long;
      label(`${now.F.toFixed(0)} N`, x - 8, y + 12, theme.s2, "right", "600 14px system-ui, sans-serif");
    }
    bar(v, box, 0.05, "50 mm");
  });
}

function whole(box, now) {
  const v = view(box, [1.35, -0.72], [3.35, 2.2]);
  framed(box, "the arm from the side", () => {
    pen.strokeStyle = theme.grid; pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(box.x, v.y(-0.8)); pen.lineTo(v.x(0.5), v.y(-0.8)); pen.stroke();
    disc(v, ...data.pipe, data.r_o); pen.strokeStyle = theme.s5; pen.lineWidth = 3; pen.stroke();
    arm(v, now, false); saw(v, now, false);
    bar(v, box, 0.5, "0.5 m");
  });
}

function force(box) {  // lowest, mean and highest of the force over time
  const top = data.F_top, x = i => box.x + box.w * i / last, y = F => box.y + box.h - (box.h - 20) * F / top;
  framed(box, "force on the tool [N], mean and range", () => {
    pen.strokeStyle = theme.grid; pen.fillStyle = theme.muted; pen.font = "11px system-ui, sans-serif"; pen.textAlign = "right"; pen.lineWidth = 1;
    for (let F = 100; F < top; F += 100) {
      pen.beginPath(); pen.moveTo(box.x, y(F)); pen.lineTo(box.x + box.w, y(F)); pen.stroke(); pen.fillText(F, box.x + box.w - 5, y(F) - 3);
    }
    pen.beginPath();
    data.F_high.forEach((F, i) => pen.lineTo(x(i), y(F)));
    for (let i = last; i >= 0; i--) pen.lineTo(x(i), y(data.F_low[i]));
    pen.fillStyle = theme.s2; pen.globalAlpha = 0.22; pen.fill(); pen.globalAlpha = 1;
    pen.beginPath(); data.signals.F.forEach((F, i) => pen.lineTo(x(i), y(F)));
    pen.strokeStyle = theme.s2; pen.lineWidth = 1.5; pen.stroke();
    const here = box.x + box.w * t / end;
    pen.strokeStyle = theme.accent; pen.lineWidth = 2; pen.beginPath(); pen.moveTo(here, box.y); pen.lineTo(here, box.y + box.h); pen.stroke();
  });
}

let strip = { x: 0, y: 0, w: 1, h: 1 };

function micrometres(error) { return (Math.round(error) || 0).toString().replace("-", "−"); }  // never "-0"

function paint() {
  const now = at(t), wide = width >= 620, gap = 10, low = 92;
  pen.clearRect(0, 0, width, height);
  const upper = height - low - gap;
  if (wide) {
    const w = Math.min(Math.round(0.44 * width), upper);
    closeUp({ x: 0, y: 0, w, h: upper }, now); whole({ x: w + gap, y: 0, w: width - w - gap, h: upper }, now);
  } else {
    const h = Math.round(0.58 * (upper - gap));
    closeUp({ x: 0, y: 0, w: width, h }, now); whole({ x: 0, y: h + gap, w: width, h: upper - h - gap }, now);
  }
  force(strip = { x: 0, y: upper + gap, w: width, h: low });
  slider.value = t;
  button.textContent = playing ? "Pause" : t >= end ? "Again" : "Play";
  const feed = 1e3 * (now.y - data.signals.y[0]);
  told.time.textContent = t.toFixed(1); told.feed.textContent = feed.toFixed(2);
  told.force.textContent = now.F.toFixed(0); told.off.textContent = `${micrometres(now.e_y)}, ${micrometres(now.e_z)}`;
  told.phase.textContent = data.phases.filter(([begin]) => t >= begin).pop()[1];
}

function fit() {
  width = canvas.clientWidth; height = width >= 620 ? Math.min(0.46 * width, 440) + 102 : 1.45 * width + 112;
  canvas.style.height = height + "px";
  const dense = devicePixelRatio || 1;
  canvas.width = Math.round(width * dense); canvas.height = Math.round(height * dense);
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  colours(); paint();
}

function tick(stamp) {
  if (!playing) return;
  t = Math.min(t + Math.min(Math.max((stamp - before) / 1e3, 0), 0.1) * data.pace, end); before = stamp;
  if (t >= end) playing = false;
  paint();
  requestAnimationFrame(tick);
}

function play(on) {
  if (on && t >= end) t = 0;
  playing = on;
  if (on) { before = performance.now(); requestAnimationFrame(tick); }
  paint();
}

function seek(time) { playing = false; t = Math.min(Math.max(time, 0), end); paint(); }

button.addEventListener("click", () => play(!playing));
slider.addEventListener("input", () => seek(Number(slider.value)));
canvas.addEventListener("pointerdown", event => {
  const box = canvas.getBoundingClientRect();
  if (event.clientY - box.top >= strip.y) seek((event.clientX - box.left) / strip.w * end);
});
new ResizeObserver(fit).observe(canvas.parentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours(); paint(); });
fit();
const asked = /[#&]t=([\d.]+)/.exec(location.hash);  // page.html#t=120 shows that instant
if (asked) seek(Number(asked[1]));
else if (!still) new IntersectionObserver((seen, watch) => {
  if (seen.some(entry => entry.isIntersecting)) { watch.disconnect(); play(true); }
}, { threshold: 0.4 }).observe(canvas);
