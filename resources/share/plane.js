// The plane: points of any width, arrows between them with their values, names placed around one another.

// The two axes that show most of the points' variance; the coordinates themselves up to two columns.
function axesOf(points) {
  const d = points[0].length;
  if (d <= 2) return {mean: Array(d).fill(0), axes: [0, 1].map(i => Array.from({length: d}, (_, j) => +(i === j))), share: 1};
  const mean = Array.from({length: d}, (_, i) => sum(points.map(p => p[i])) / points.length);
  const centred = points.map(p => p.map((x, i) => x - mean[i]));
  const found = eigenvectors(product(transposed(centred), centred)).sort((a, b) => b.value - a.value);
  const total = sum(found.map(each => each.value)) || 1;
  const axes = found.slice(0, 2).map(({vector}) => {
    const largest = vector.reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0);
    return vector.map(x => x * Math.sign(largest));
  });
  return {mean, axes, share: (found[0].value + found[1].value) / total};
}

// Of a small symmetric matrix, by Jacobi's rotations.
function eigenvectors(matrix) {
  const n = matrix.length, A = matrix.map(row => row.slice());
  const V = A.map((_, i) => A.map((_, j) => +(i === j)));
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) {
      if (Math.abs(A[p][q]) < 1e-300) continue;
      const theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
      const tan = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(tan, 1), s = tan * c;
      const turn = (row, i, j) => { [row[i], row[j]] = [c * row[i] - s * row[j], s * row[i] + c * row[j]]; };
      A.forEach(row => turn(row, p, q));
      [A[p], A[q]] = [A[p].map((x, k) => c * x - s * A[q][k]), A[p].map((x, k) => s * x + c * A[q][k])];
      V.forEach(row => turn(row, p, q));
    }
  }
  return A.map((row, i) => ({value: Math.max(row[i], 0), vector: V.map(each => each[i])}));
}

const onPlane = (point, {mean, axes}) => axes.map(axis => sum(axis.map((a, i) => a * (point[i] - mean[i]))));

const MARKS = {
  circle: r => h('circle.mark', {r}),
  ring: r => h('circle.mark.ring', {r: r - 2}),
  square: r => h('rect.mark', {x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8}),
  triangle: r => h('polygon.mark', {points: `0,${-r * 1.15} ${r * 1.1},${r * 0.8} ${-r * 1.1},${r * 0.8}`}),
  hexagon: r => h('polygon.mark', {points: [0, 1, 2, 3, 4, 5].map(i =>
    `${r * 1.1 * Math.sin(i * Math.PI / 3)},${-r * 1.1 * Math.cos(i * Math.PI / 3)}`).join(' ')}),
};

// The camera that shows all points and the origin, with the same scale along both axes.
function fitted(points, width, height) {
  const all = [[0, 0], ...points];
  const [left, right] = [Math.min(...all.map(p => p[0])), Math.max(...all.map(p => p[0]))];
  const [low, high] = [Math.min(...all.map(p => p[1])), Math.max(...all.map(p => p[1]))];
  const scale = Math.min((width - 150) / Math.max(right - left, 1e-6), (height - 130) / Math.max(high - low, 1e-6), 1e6);
  return {scale: Math.max(scale, 1e-60), x: (left + right) / 2, y: (low + high) / 2};
}

const textWidth = text => sum([...text].map(c => c.charCodeAt(0) > 0x2e80 ? 18 : 9.4));
const overlap = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
  Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
const box = (x, y, w, h) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];

const tick = value => (Math.abs(value) >= 1e6 ? number(value) : String(+value.toPrecision(6))).replace('-', MINUS);

function grid(camera, width, height) {
  const rough = 90 / camera.scale, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(m => m * power >= rough);
  const made = [];
  for (const vertical of [true, false]) {
    const half = (vertical ? width : height) / 2 / camera.scale, centre = vertical ? camera.x : camera.y;
    for (let i = Math.ceil((centre - half) / step); i * step <= centre + half; i++) {
      const at = vertical ? width / 2 + (i * step - centre) * camera.scale : height / 2 - (i * step - centre) * camera.scale;
      const line = vertical ? {x1: at, x2: at, y1: 0, y2: height} : {x1: 0, x2: width, y1: at, y2: at};
      made.push(h(i === 0 ? 'line.axis' : 'line.grid', line));
      const text = tick(i * step);
      if (vertical && at > 40 && at < width - 16) made.push(h('text.tick', {x: at, y: height - 8, 'text-anchor': 'middle'}, text));
      if (!vertical && at > 20 && at < height - 22) made.push(h('text.tick', {x: 8, y: at - 4}, text));
    }
  }
  return made;
}

// Draws {points, edges} into an SVG. A point: id, at (of the plane), mark, colour, name, label, moves, focus.
// An edge: id, from and to (of points), value, share (of the ramp), width, dashed, selected, colour.
function drawPlane(svg, {points, edges}, camera) {
  const width = svg.clientWidth || 640, height = svg.clientHeight || 400;
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const screen = ([x, y]) => [width / 2 + (x - camera.x) * camera.scale, height / 2 - (y - camera.y) * camera.scale];
  const places = points.map(point => screen(point.at)), taken = places.map(([x, y], i) => box(x, y, ...(points[i].focus ? [44, 44] : [26, 26])));
  const lines = [], chips = [], names = [], passed = [];
  for (const edge of [...edges].sort((a, b) => a.selected - b.selected || a.width - b.width)) {
    const a = places[edge.from], b = places[edge.to];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]), chip = [58, 26];
    const group = h('g.edge.' + edge.colour, {'data-edge': edge.id});
    if (edge.selected) group.classList.add('selected');
    let middle;
    if (length < 30) { // to itself
      group.append(h('circle.line', {cx: a[0], cy: a[1], r: 21, 'stroke-width': Math.min(9, 1 + 11 * Math.abs(edge.share))}));
      middle = [a, [0, 44], [0, -44], [52, 0], [-52, 0]].slice(1).map(([x, y]) => [a[0] + x, a[1] + y]);
    } else {
      const along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], across = [-along[1], along[0]];
      const beside = places.map(p => ({far: (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1],
        off: (p[0] - a[0]) * across[0] + (p[1] - a[1]) * across[1]}));
      const hit = beside.find(({far, off}, i) => i !== edge.from && i !== edge.to && far > 16 && far < length - 16 && Math.abs(off) < 24);
      const bend = hit ? (hit.off > 0 ? -0.15 : 0.15) * length : 0;
      const middlePoint = [(a[0] + b[0]) / 2 + across[0] * 2 * bend, (a[1] + b[1]) / 2 + across[1] * 2 * bend];
      const at = s => [0, 1].map(i => (1 - s) ** 2 * a[i] + 2 * s * (1 - s) * middlePoint[i] + s * s * b[i]);
      const head = Math.min(Math.max(9, 1.7 * edge.width), 0.62 * length, 34), end = 1 - 18 / length, neck = Math.max(end - head / length, 0.1);
      const [tip, base] = [at(end), at(neck)], turn = Math.atan2(tip[1] - base[1], tip[0] - base[0]);
      const wing = side => [base[0] + side * head * 0.55 * Math.sin(turn), base[1] - side * head * 0.55 * Math.cos(turn)];
      const start = at(16 / length), bow = [0, 1].map(i => 2 * at((16 / length + neck) / 2)[i] - (start[i] + base[i]) / 2);
      group.append(
        h('path.line', {d: `M${start} Q${bow} ${base}`, 'stroke-width': edge.width, 'stroke-dasharray': edge.dashed ? '8 6' : null}),
        h('polygon.head', {points: [tip, wing(1), wing(-1)].join(' ')}));
      middle = [0.5, 0.4, 0.6, 0.3, 0.7].flatMap(s => [0, -16, 16].map(off => at(s).map((v, i) => v + off * across[i])))
        .sort((p, q) => Math.hypot(p[0] - at(0.5)[0], p[1] - at(0.5)[1]) - Math.hypot(q[0] - at(0.5)[0], q[1] - at(0.5)[1]));
      for (const s of [0.2, 0.35, 0.5, 0.65, 0.8]) passed.push(box(...at(s), 12, 12));
    }
    lines.push(group);
    if (edge.value == null) continue;
    const cost = at => sum(taken.map(other => overlap(box(...at, ...chip), other))) +
      (overlap(box(...at, ...chip), [4, 4, width - 4, height - 22]) < 0.99 * chip[0] * chip[1] ? 400 : 0);
    const at = middle.reduce((best, each) => cost(each) < cost(best) ? each : best);
    taken.push(box(...at, ...chip));
    const {fill, ink} = ramp(edge.share);
    const plate = h('rect', {x: at[0] - chip[0] / 2, y: at[1] - chip[1] / 2, width: chip[0], height: chip[1], rx: 5});
    const text = h('text', {x: at[0], y: at[1] + 5.5, 'text-anchor': 'middle'}, edge.value);
    plate.style.fill = fill;
    text.style.fill = ink;
    chips.push(h('g.chip', {'data-edge': edge.id, class: edge.selected ? 'chip selected' : 'chip'}, plate, text));
  }
  if (!svg.firstChild) svg.append(...['behind', 'marks', 'before'].map(name => h('g.' + name)));
  const [behind, marks, before] = svg.children;
  update(marks, points.map((point, i) => {
    const used = point.moves || point.chooses;
    return h('g', {'data-id': point.id, class: `point ${point.colour}${point.moves ? ' moves' : ''}${used ? '' : ' fixed'}`,
      transform: `translate(${places[i]})`, tabindex: used ? '0' : null, role: used ? 'button' : null, 'aria-label': used ? point.label : null},
    point.focus ? h('circle.halo', {r: 30}) : null, MARKS[point.mark](point.focus ? 15 : point.small ? 9 : 12), h('circle.hit', {r: 24}));
  }));
  points.forEach((point, i) => {
    if (!point.name) return;
    const [x, y] = places[i], w = textWidth(point.name) * (point.focus ? 1.2 : 1), size = point.focus ? 21 : 17;
    const options = [[0.8, -0.8], [-0.8, -0.8], [0, -1.25], [0.8, 0.8], [-0.8, 0.8], [1.2, 0], [-1.2, 0], [0, 1.35]].map(([dx, dy]) => {
      const off = point.focus ? 28 : 20;
      return [x + dx * off + Math.sign(dx) * w / 2, y + dy * (off + 2)];
    });
    const cost = at => {
      const own = box(...at, w, size + 2);
      return sum(taken.map(each => overlap(own, each))) + 0.3 * sum(passed.map(each => overlap(own, each))) +
        20 * (w * (size + 2) - overlap(own, [2, 2, width - 2, height - 22])) + options.indexOf(at) * 3;
    };
    const at = options.reduce((best, each) => cost(each) < cost(best) ? each : best);
    taken.push(box(...at, w, size + 2));
    names.push(h('text.name.' + point.colour, {x: at[0], y: at[1] + size * 0.34, 'text-anchor': 'middle', 'font-size': size}, point.name));
  });
  update(behind, grid(camera, width, height), lines);
  update(before, chips, names);
}
