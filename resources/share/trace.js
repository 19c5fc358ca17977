// A recorded run as a player: the word graph, the heads, the loss, and where in the run one looks.

function tracePage() {
  const {trace} = data, page = document.getElementById('page');
  const head = h('header'), svg = h('svg.plane', {role: 'group'}), canvas = h('section.canvas', {}, svg);
  const panel = h('section.panel'), time = h('section.timeline');
  page.replaceChildren(head, h('div.body.trace', {}, canvas, time, panel));
  const state = {step: trace.epochs.length - 1, sample: 0, layer: 0, head: trace.heads > 1 ? -1 : 0, query: trace.samples[0].words.length - 1, key: 0};
  let playing = null, camera = null, framed = '';

  const sample = () => trace.samples[state.sample];
  // The weights of one head: thousandths, row by row.
  function weightsOf(layer, which) {
    const T = sample().words.length, flat = trace.weights[state.step][state.sample];
    const start = (layer * trace.heads + which) * T * T;
    return Array.from({length: T}, (_, q) => flat.slice(start + q * T, start + (q + 1) * T).map(w => w / 1000));
  }
  function weights() {
    if (state.head >= 0) return weightsOf(state.layer, state.head);
    const all = Array.from({length: trace.heads}, (_, i) => weightsOf(state.layer, i));
    return all[0].map((row, q) => row.map((_, k) => sum(all.map(each => each[q][k])) / trace.heads));
  }

  const colour = place => place < 8 ? 't' + place : 'tn';
  const dot = place => [h('span', {class: 'dot ' + colour(place)}), h('span.name', {}, sample().words[place])];
  // A word that stands twice is one point: its first place has it.
  const first = place => sample().words.indexOf(sample().words[place]);

  function graph(map) {
    const words = sample().words, at = trace.points?.[state.step], points = [], index = {};
    words.forEach((word, place) => {
      if (first(place) !== place) return;
      index[place] = points.length;
      const angle = 2 * Math.PI * place / words.length;
      points.push({id: 'W' + place, at: at ? at[sample().ids[place]].map(x => x / 1000) : [Math.sin(angle), Math.cos(angle)], mark: 'circle',
        colour: colour(place), name: word, chooses: true, label: word, focus: place === first(state.query)});
    });
    const seen = new Set(sample().ids);
    if (at && trace.vocabulary.length <= 40) trace.vocabulary.forEach((word, id) => {
      if (!seen.has(id)) points.push({id: 'V' + id, at: at[id].map(x => x / 1000), mark: 'circle', colour: 'tn', small: true, name: word});
    });
    const largest = {};
    map[state.query].forEach((w, k) => { largest[first(k)] = Math.max(largest[first(k)] ?? 0, w); });
    const edges = Object.entries(largest).filter(([, w]) => w >= 0.05).map(([k, w]) => ({id: +k, from: index[first(state.query)], to: index[k], share: w,
      value: number(w), width: 1.5 + 22 * w, selected: +k === first(state.key), colour: colour(first(state.query))}));
    const least = edges.length > 8 ? edges.map(edge => edge.share).sort((a, b) => b - a)[4] : 0;
    return {points, edges: edges.filter(edge => edge.selected || edge.share >= least)};
  }

  function draw() {
    const map = weights(), picture = graph(map), size = [svg.clientWidth || 640, svg.clientHeight || 400];
    // One camera for the whole run, so that words move and the plane does not.
    const now = [...size, trace.points ? '' : state.sample].join();
    const everywhere = trace.points ? trace.points.flat().map(p => p.map(x => x / 1000)) : picture.points.map(p => p.at);
    if (now !== framed) camera = fitted(everywhere, ...size);
    framed = now;
    svg.setAttribute('aria-label', t('Word graph'));
    drawPlane(svg, picture, camera);
    update(panel, parts(map));
    update(time, timeline());
    update(head, h('h1', {}, data.title), h('div.tools', {}, pageButtons(draw)));
  }

  const go = changes => {
    Object.assign(state, changes);
    state.query = Math.min(state.query, sample().words.length - 1);
    state.key = Math.min(state.key, sample().words.length - 1);
    draw();
  };
  const select = (id, text, names, now, act) => h('label', {}, text, ' ', h('select', {'data-id': id, onchange: event => act(+event.target.value)},
    names.map(([value, name]) => h('option', {value, selected: value === now}, name))));
  const counted = count => Array.from({length: count}, (_, i) => [i, String(i + 1)]);

  function parts(map) {
    const words = sample().words, T = words.length, found = [h('p.choices', {},
      select('sample', t('Sentence'), trace.samples.map((each, i) => [i, each.words.join(' ')]), state.sample, chosen => go({sample: chosen})),
      trace.layers > 1 ? select('layer', t('Layer'), counted(trace.layers), state.layer, layer => go({layer})) : null,
      trace.heads > 1 ? select('head', t('Head'), [[-1, t('average')], ...counted(trace.heads)], state.head, chosen => go({head: chosen})) : null)];
    if (trace.heads > 1) found.push(h('div.tiles', {role: 'group', 'aria-label': t('Heads')}, Array.from({length: trace.heads}, (_, i) => {
      const cells = weightsOf(state.layer, i).flatMap((row, q) => row.map((w, k) => {
        const cell = h('rect', {x: k, y: q, width: 1.02, height: 1.02});
        cell.style.fill = ramp(w).fill;
        return cell;
      }));
      return h('button.tile', {type: 'button', 'data-id': 'tile ' + i, 'aria-pressed': String(i === state.head), 'aria-label': `${t('Head')} ${i + 1}`,
        onclick: () => go({head: i})}, h('svg', {viewBox: `0 0 ${T} ${T}`, width: 64, height: 64}, cells));
    })));
    found.push(heatTable(h('caption', {}, h('b', {}, 'A'), ' ', t('attention, each row sums to 1')), 'A', map, {
      rows: words.map((_, q) => dot(q)), columns: words.map((_, k) => dot(k)), share: w => w, shownNumber: w => number(w, T > 8 ? 2 : 3),
      label: (q, k) => `${words[q]} → ${words[k]}`, hides: () => false, chosen: [state.query, state.key], choose: (query, key) => go({query, key})}));
    const next = trace.next?.[state.step][state.sample];
    if (next) found.push(h('table.rows', {'data-table': 'next'}, h('caption', {}, t('next word')), next.map(([id, share]) => {
      const bar = h('div.share');
      bar.style.width = share / 10 + '%';
      return h('tr', {}, h('th', {scope: 'row', class: id === sample().target ? 'chosen' : null}, h('span.name', {}, trace.vocabulary[id])), h('td', {}, number(share / 1000)), h('td.made', {}, bar));
    })));
    if (trace.note) found.push(h('p.note', {}, data.notes[language]));
    found.push(h('p.foot', {}, t('Made with Attention Explorer; the numbers are as recorded.')));
    return found;
  }

  function timeline() {
    const width = 1000, height = 80, {loss, epochs} = trace, last = Math.max(1, epochs[epochs.length - 1], ...loss.map(([e]) => e));
    const most = Math.max(...loss.map(([, value]) => value), 1e-9), x = epoch => epoch / last * width;
    const now = epochs[state.step], near = loss.reduce((best, each) => Math.abs(each[0] - now) < Math.abs(best[0] - now) ? each : best, loss[0] ?? [0, null]);
    const curve = loss.length ? h('svg.loss', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('loss')},
      h('polyline', {points: loss.map(([e, value]) => `${x(e)},${height - 4 - value / most * (height - 8)}`).join(' ')}),
      h('line.playhead', {x1: x(now), x2: x(now), y1: 0, y2: height})) : null;
    const name = playing ? t('Stop') : t('Play');
    return [curve, h('div.transport', {}, h('button.action', {type: 'button', 'data-id': 'play', onclick: play}, name),
      h('input', {type: 'range', 'data-id': 'step', min: 0, max: epochs.length - 1, value: state.step, 'aria-label': t('Epoch'),
        'aria-valuetext': String(now), oninput: event => { stop(); go({step: +event.target.value}); }}),
      h('span', {}, joined(`${t('Epoch')} ${now}`, ...(near[1] == null ? [] : [`${t('loss')} ${number(near[1], 2)}`]))))];
  }

  function stop() {
    clearInterval(playing);
    playing = null;
  }

  function play() {
    if (playing) { stop(); draw(); return; }
    if (state.step === trace.epochs.length - 1) state.step = 0;
    playing = setInterval(() => {
      if (state.step >= trace.epochs.length - 1) stop(); else state.step++;
      draw();
    }, 125);
    draw();
  }

  svg.addEventListener('click', event => {
    const id = event.target.closest('[data-id]')?.dataset.id, edge = event.target.closest('[data-edge]')?.dataset.edge;
    if (edge != null) go({key: +edge}); else if (id?.[0] === 'W') go({query: +id.slice(1)});
  });
  svg.addEventListener('keydown', event => {
    const id = event.target.dataset?.id;
    if (id?.[0] === 'W' && (event.key === 'Enter' || event.key === ' ')) { event.preventDefault(); go({query: +id.slice(1)}); }
  });
  new ResizeObserver(draw).observe(svg);
  globalThis.explorer = {state, weights, go}; // for tests and the curious
  show(draw);
}
