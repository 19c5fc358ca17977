// A scene as a page, or as a part of one: the plane, the tables and one weight step by step.

// Puts a scene into an element. view: stage, query, key, head, slots; changed is told of each new result.
function sceneView(place, original, view, {changed = () => {}, hides = () => false} = {}) {
  const scene = structuredClone(original);
  const state = {sequence: 0, head: 0, query: 0, key: 0, ...view};
  const svg = h('svg.plane', {role: 'group'});
  const plane = h('section.canvas', {}, svg), panel = h('section.panel'), said = h('p.hidden', {'aria-live': 'polite'});
  let result, axes, camera, framed = '', drag = null;
  const invalid = {}; // by the field's id: what was typed although it is no number
  place.replaceChildren(plane, panel, said);

  const colour = (token, isKey) => {
    const slot = state.slots[state.sequence]?.[isKey && result.context ? result.tokens.length + token : token];
    return slot >= 0 ? 't' + slot : 'tn';
  };
  const nameOf = (token, isKey) => (isKey ? result.keys : result.tokens)[token];
  const weightDomain = () => {
    const weights = result.weights[state.head];
    return weights[0].length <= 8 ? 1 : Math.max(0.1, Math.ceil(Math.max(...weights.flat()) * 10 - 1e-9) / 10);
  };
  const shownScores = () => (state.scaled ? result.scores : result.raw)[state.head];
  const scoreDomain = () => {
    const finite = shownScores().flat().filter(Number.isFinite).map(Math.abs);
    return Math.max(0.5, Math.ceil(Math.max(0, ...finite) * 2 - 1e-9) / 2);
  };
  const own = () => scene.sequences ? scene.sequences[state.sequence] : scene;
  // The rows that a point of X, of the context or of the given Q and K is drawn from, and may be changed in.
  const rowsOf = kind => kind === 'X' ? (scene.Q ? scene.Q : own().X) : scene.Q ? scene.K : own().context.X;

  // What the plane shows: tokens that can be moved, or what is made of them.
  function shown() {
    const {stage, head} = state, {context} = result;
    const tokens = [['X', result.X, scene.Q ? 'triangle' : 'circle', false]];
    if (context) tokens.push(['C', context.X, 'square', true]);
    const made = stage === 'QK' ? [['Q', result.Q[head], 'triangle', false], ['K', result.K[head], 'square', true]]
      : stage === 'O' ? [['V', result.V[head], 'hexagon', true], ['O', result.headOutput[head], 'ring', false]] : [];
    const agree = (a, b) => a[1][0].length === b[1][0].length;
    if (scene.Q) return stage === 'O' && !made.some(([letter]) => hides(letter)) ? made : tokens;
    if (made.length && !made.some(([letter]) => hides(letter))) {
      const movable = stage === 'QK' && tokens.every(each => agree(each, made[0]));
      return movable ? [...tokens, ...made] : made;
    }
    return tokens.length === 1 || agree(...tokens) || hides('Q') || hides('K') ? tokens.filter(each => agree(each, tokens[0]))
      : [['Q', result.Q[head], 'triangle', false], ['K', result.K[head], 'square', true]];
  }

  const MOVABLE = {X: true, C: true};
  const spoken = (point, moves) => moves ? t('{title}. {note}', {title: point, note: t('Arrow keys move it.')}) : point;

  function drawn() {
    const kinds = shown();
    if (!drag) axes = axesOf(kinds.flatMap(([, rows]) => rows));
    const points = [], index = {};
    for (const [kind, rows, mark, isKey] of kinds) rows.forEach((row, i) => {
      const moves = !!MOVABLE[kind], at = onPlane(row, axes), id = kind + i, name = nameOf(i, isKey);
      const named = moves || !MOVABLE[kinds[0][0]] && (!isKey || kind === 'V' || result.context);
      index[id] = points.length;
      points.push({id, at, mark, moves, colour: colour(i, isKey), small: !moves && MOVABLE[kinds[0][0]],
        name: named ? name : null, chooses: !isKey, focus: !isKey && i === state.query && (moves || kind === 'Q'),
        label: spoken(joined(name, ...row.map(short)), moves)});
    });
    const edges = [], {stage, head, query, key} = state;
    const from = ['X', 'Q'].map(kind => index[kind + query]).find(i => i != null);
    if (['S', 'A'].includes(stage) && from != null && !hides(stage)) result.keys.forEach((_, k) => {
      const to = ['C', 'K', 'X'].map(kind => index[kind + k]).find(i => i != null);
      const score = shownScores()[query][k], weight = result.weights[head][query][k], scores = stage === 'S';
      if (!(scores ? score > -Infinity : result.sees(query, k))) return;
      const share = scores ? score / scoreDomain() : weight / weightDomain();
      edges.push({id: k, from, to, share, value: number(scores ? score : weight), selected: k === key,
        dashed: scores && score < 0, width: Math.max(1, 1.5 + (scores ? 11 : 22) * Math.min(1, Math.abs(scores ? share : weight))), colour: colour(query, false)});
    });
    // Of many the strongest five, and the selected one.
    const least = edges.length > 8 ? edges.map(edge => Math.abs(edge.share)).sort((a, b) => b - a)[4] : 0;
    return {points, edges: edges.filter(edge => edge.selected || Math.abs(edge.share) >= least)};
  }

  function draw() {
    const picture = drawn(), size = [svg.clientWidth || 640, svg.clientHeight || 400];
    // It stands still, after a drag too, unless something else is shown or a point has left it.
    const now = [...size, state.stage, state.head, state.sequence].join();
    const away = camera && picture.points.some(({at}) => [0, 1].some(i =>
      Math.abs(at[i] - [camera.x, camera.y][i]) * camera.scale > size[i] / 2 - 12));
    if (!drag && (now !== framed || away)) camera = fitted(picture.points.map(p => p.at), ...size);
    framed = now;
    svg.setAttribute('aria-label', t('Plane of the tokens'));
    drawPlane(svg, picture, camera);
    const lost = axes.share < 0.9995 ? t('The plane shows {percent} % of the variance.', {percent: Math.round(100 * axes.share)}) : '';
    plane.querySelector('.lost')?.remove();
    if (lost) plane.append(h('p.lost', {}, lost));
    update(panel, tables());
  }

  function compute() {
    result = attend(scene, state.sequence);
    state.query = Math.min(state.query, result.tokens.length - 1);
    state.key = Math.min(state.key, result.keys.length - 1);
    changed(result, state, scene);
  }

  function choose(changes) {
    Object.assign(state, changes);
    compute();
    draw();
    if ('key' in changes || 'query' in changes) say(weightName(state.query, state.key));
  }

  const say = text => { said.textContent = text; };
  const weightName = (q, k) => t('{label}: {text}', {label: `${nameOf(q, false)} → ${nameOf(k, true)}`, text: number(result.weights[state.head][q][k])});

  const dot = (token, isKey) => h(`span.dot.${colour(token, isKey)}`, {class: `dot ${colour(token, isKey)}${isKey && result.context ? ' square' : ''}`});
  const named = (token, isKey) => [dot(token, isKey), h('span.name', {}, nameOf(token, isKey))];
  const title = (letter, text) => h('caption', {}, h('b', {}, letter), ' ', text);

  // S or A: a row for each query.
  const square = (letter, text, values, share, shownNumber) => heatTable(title(letter, text), letter, values, {
    rows: result.tokens.map((_, q) => named(q, false)), columns: result.keys.map((_, k) => named(k, true)), share, shownNumber,
    label: (q, k) => `${nameOf(q, false)} → ${nameOf(k, true)}`, hides: (q, k) => hides(letter, q, k),
    chosen: [state.query, state.key], choose: (query, key) => choose({query, key})});

  // Rows of numbers; those of `kept` can be typed into.
  function rows(letter, text, values, {isKey = false, kept = null, plain = false, id = letter} = {}) {
    const hidden = hides(letter);
    return h('table.rows', {'data-table': letter}, title(letter, text), values.map((row, i) =>
      h('tr', {}, plain ? null : h('th', {scope: 'row', class: !isKey && i === state.query ? 'chosen' : null}, named(i, isKey)),
        row.map((value, j) => h('td', {}, kept ? field(letter, id, kept, i, j, plain ? null : nameOf(i, isKey)) : hidden ? '?' : number(value))))));
  }

  function field(letter, id, kept, i, j, name) {
    const own = `${id}${i},${j}`, told = invalid[own], shownText = told ?? short(kept[i][j]);
    return h('input', {value: shownText, inputmode: 'text', autocomplete: 'off', spellcheck: 'false', 'data-id': own,
      'aria-invalid': told == null ? null : 'true',
      'aria-label': joined(letter, name ?? t('row {n}', {n: i + 1}), t('column {n}', {n: j + 1})),
      onfocus: event => { if (!event.target.typing) event.target.select(); },
      oninput: event => { event.target.typing = true; },
      onkeydown: event => { if (event.key === 'Enter') take(event.target); },
      onblur: event => take(event.target)});

    function take(input) {
      const text = input.value, found = typed(text);
      if (!input.typing || !input.isConnected) return;
      input.typing = false;
      if (text === shownText) return;
      delete invalid[own];
      if (Number.isNaN(found)) {
        invalid[own] = text;
        say(t('Type a number, for example 0.5'));
      } else {
        kept[i][j] = found;
        compute();
      }
      setTimeout(draw); // when the focus has arrived where it goes
    }
  }

  // The weights that an output is made of, side by side.
  function madeOf(q) {
    return h('td.made', {'aria-hidden': 'true'}, h('div.bar', {}, result.weights[state.head][q].map((weight, k) => {
      const part = h('span.' + colour(k, true), {class: `${colour(k, true)}${q === state.query && k === state.key ? ' chosen' : ''}`});
      part.style.flexGrow = weight;
      return weight > 0.001 ? part : null;
    })));
  }

  function outputs(text) {
    const hidden = hides('O');
    return h('table.rows.outputs', {'data-table': 'O'}, title('O', text),
      result.headOutput[state.head].map((row, q) => h('tr', {class: q === state.query ? 'chosen' : null},
        h('th', {scope: 'row'}, named(q, false)), row.map(value => h('td', {}, hidden ? '?' : number(value))),
        hidden || hides('A') ? null : madeOf(q))));
  }

  // A W or b: rows of numbers, a list of those a head, or a row a head.
  function parameters() {
    const made = [];
    for (const name of ['Wq', 'bq', 'Wk', 'bk', 'Wv', 'bv', 'Wo', 'bo']) {
      const value = scene[name];
      if (!value) continue;
      const several = Array.isArray(value[0]?.[0]);
      const matrix = several ? value[state.head] : Array.isArray(value[0]) ? value : [value];
      made.push(rows(name, several ? t('head {n}', {n: state.head + 1}) : '', matrix, {kept: matrix, plain: true}));
    }
    return made.length ? [h('details', {'aria-label': t('Matrices'), open: state.open, ontoggle: event => { state.open = event.target.open; }},
      h('summary', {}, t('Matrices')), h('div.matrices', {}, made))] : [];
  }

  function tables() {
    const {stage, head} = state, last = result.tokens.length > 8 ? 2 : 3, found = [];
    const select = (id, text, count, now, act) => h('label', {}, text, ' ', h('select', {'data-id': id,
      onchange: event => act(+event.target.value)}, Array.from({length: count}, (_, i) => h('option', {value: i, selected: i === now}, String(i + 1)))));
    const choices = [];
    if (scene.sequences) choices.push(select('sequence', t('Sequence'), scene.sequences.length, state.sequence, sequence => choose({sequence, query: 0, key: 0})));
    if (result.heads > 1) choices.push(select('head', t('Head'), result.heads, head, chosen => choose({head: chosen})));
    if (choices.length) found.push(h('p.choices', {}, choices));
    const {Q, K, V} = result;
    if (stage === 'X') {
      found.push(rows('X', t('one row for each token'), result.X, {kept: own().X}));
      if (result.context) found.push(rows('X', t('of the context'), result.context.X, {isKey: true, kept: own().context.X, id: 'context'}));
      if (result.position) {
        const mine = Array.isArray(scene.options.position) ? scene.options.position.slice(0, result.X.length) : null;
        found.push(rows('P', t('position, added to X'), result.position, {kept: mine}));
      }
      found.push(...parameters());
    }
    if (stage === 'QK') {
      found.push(rows('Q', t('queries'), Q[head], {kept: scene.Q ?? null}), rows('K', t('keys'), K[head], {isKey: true, kept: scene.Q ? scene.K : null}));
    }
    if (stage === 'QK' || stage === 'O') found.push(rows('V', t('values'), V[head], {isKey: true, kept: scene.Q ? scene.V : null}));
    if (stage === 'S') {
      if (result.divisor !== 1) found.push(h('p.choices', {}, h('label', {}, h('input', {type: 'checkbox', 'data-id': 'scaled', checked: !!state.scaled,
        onchange: event => choose({scaled: event.target.checked})}), ' ÷ ' + divisorText(Q[head][0].length))));
      found.push(square('S', state.scaled || result.divisor === 1 ? t('scores, scaled') : t('scores, not scaled'), shownScores(),
        s => s / scoreDomain(), s => number(s, last)));
    }
    const sums = result.weightDivisor === 1 ? t('attention, each row sums to 1') : t('attention');
    found.push(square('A', sums, result.weights[head], w => w / weightDomain(), w => number(w, last)));
    if (result.heads > 1 || scene.Wo) {
      found.push(outputs(t('output of the head')));
      if (stage === 'O') found.push(rows(scene.Wo ? 'Y' : 'C', scene.Wo ? t('output after Wo') : t('heads side by side'), result.output));
    } else found.push(outputs(t('output')));
    if (!hides('S') && !hides('A')) found.push(steps());
    if (state.note) found.push(h('p.note', {}, t(state.note)));
    found.push(h('p.foot', {}, t('Made with Attention Explorer; computed in this page.')));
    return found;
  }

  // The selected weight, step by step.
  function steps() {
    const {query, key, head} = state, q = result.Q[head][query], k = result.K[head][key], v = result.V[head][key];
    const [from, to] = [colour(query, false), colour(key, true)], raw = result.raw[head][query][key];
    const score = result.scores[head][query][key], weight = result.weights[head][query][key];
    const small = (letter, token, isKey, ink) => h('b.' + ink, {}, letter, h('sub.name', {}, nameOf(token, isKey)));
    const terms = q.flatMap((x, i) => [i ? ' + ' : '', h('span.' + from, {}, short(x)), ' × ', h('span.' + to, {}, short(k[i]))]);
    const lines = [[small('q', query, false, from), ' · ', small('k', key, true, to), ' = ', terms, ' = ', h('b', {}, short(raw))]];
    if (score === -Infinity) lines.push([t('masked: the weight is 0')]);
    else {
      if (result.divisor !== 1) lines.push(['÷ ', divisorText(q.length), ' = ', h('b', {}, number(score))]);
      const row = result.scores[head][query], largest = Math.max(...row), shift = Math.max(...row.filter(Number.isFinite).map(Math.abs)) > 30 ? largest : 0;
      const total = sum(row.map(s => Math.exp(s - shift)));
      lines.push(['e', h('sup', {}, number(score), shift ? ` ${shift < 0 ? '+' : MINUS} ${number(Math.abs(shift))}` : ''), ' ÷ ', number(total),
        result.weightDivisor === 1 ? '' : [' ÷ √', String(q.length)], ' = ', chip(weight)]);
      const factor = result.outputFactor === 1 ? '' : ` × √${q.length}`;
      lines.push([number(weight), factor, ' × ', small('v', key, true, to), ' = (', v.map(x => number(weight * result.outputFactor * x)).join(', '), ')  ',
        h('span.soft', {}, t('adds to'), ' o', h('sub.name', {}, nameOf(query, false)))]);
    }
    return h('div.steps', {}, h('p.pair', {}, h('span.' + from, {}, '▲ ', h('span.name', {}, nameOf(query, false))), ' → ',
      h('span.' + to, {}, '■ ', h('span.name', {}, nameOf(key, true))), h('span.soft.aside', {}, t('the selected weight, step by step'))),
    lines.map(line => h('p.line', {}, line)));
  }

  const chip = weight => painted(h('span.value', {}, number(weight)), weight / weightDomain());

  function divisorText(d_k) {
    const {scale, variant, temperature = 1} = scene.options;
    const root = scale === 'sqrt_dk' && (!variant || ['none', 'output_scaled', 'heads_mixed'].includes(variant));
    return root ? `√${d_k}` + (temperature === 1 ? '' : ` ÷ ${short(temperature)}`) : short(result.divisor);
  }

  // --- hands ----------------------------------------------------------------------------------------

  const isMovable = id => id && MOVABLE[id[0]];

  function moved(id, start, dx, dy) {
    const row = rowsOf(id[0])[+id.slice(1)];
    row.forEach((_, i) => {
      const value = start[i] + dx * axes.axes[0][i] + dy * axes.axes[1][i];
      row[i] = Math.abs(value) > 1e50 ? start[i] : axes.share === 1 && row.length <= 2 ? Math.round(value * 1000) / 1000 : value;
    });
    compute();
  }

  svg.addEventListener('pointerdown', event => {
    const id = event.target.closest('[data-id]')?.dataset.id, edge = event.target.closest('[data-edge]')?.dataset.edge;
    if (edge != null) { choose({key: +edge}); return; }
    if (!id || event.button) return;
    if (['X', 'Q', 'O'].includes(id[0])) choose({query: +id.slice(1)});
    else choose({key: +id.slice(1)});
    svg.querySelector(`[data-id="${id}"]`)?.focus({preventScroll: true});
    if (!isMovable(id)) return;
    event.preventDefault();
    drag = {id, pointer: event.pointerId, x: event.clientX, y: event.clientY, start: rowsOf(id[0])[+id.slice(1)].slice()};
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', event => {
    if (!drag || event.pointerId !== drag.pointer) return;
    moved(drag.id, drag.start, (event.clientX - drag.x) / camera.scale, (drag.y - event.clientY) / camera.scale);
    draw();
  });
  for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, event => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const {id} = drag;
    drag = null;
    draw();
    say(svg.querySelector(`[data-id="${id}"]`)?.getAttribute('aria-label') ?? '');
  });
  svg.addEventListener('keydown', event => {
    const id = event.target.dataset?.id;
    if (!id) return;
    const step = {ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]}[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      choose(['X', 'Q', 'O'].includes(id[0]) ? {query: +id.slice(1)} : {key: +id.slice(1)});
    } else if (step && isMovable(id)) {
      moved(id, rowsOf(id[0])[+id.slice(1)].slice(), 0.05 * step[0], 0.05 * step[1]);
      draw();
      say(svg.querySelector(`[data-id="${id}"]`).getAttribute('aria-label'));
    } else return;
    event.preventDefault();
  });
  // A finger on a token moves it; elsewhere it scrolls the page.
  svg.addEventListener('touchstart', event => {
    if (isMovable(event.target.closest('[data-id]')?.dataset.id)) event.preventDefault();
  }, {passive: false});
  new ResizeObserver(() => { if (result) draw(); }).observe(svg);
  compute();
  return {draw, choose, state, scene, result: () => result};
}

// A table with a button in each cell, among which arrow keys move; colours by the share of the ramp.
function heatTable(caption, letter, values, {rows, columns, share, shownNumber, label, hides, chosen, choose}) {
  const walk = (event, q, k) => {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = [q + step[0], k + step[1]], parent = event.target.closest('section');
    if (!rows[row] || !columns[column]) return;
    choose(row, column);
    parent.querySelector(`[data-id="${letter}${row},${column}"]`).focus();
  };
  return h(columns.length > 8 ? 'table.heat.many' : 'table.heat', {'data-table': letter}, caption,
    h('tr', {}, h('td'), columns.map((name, k) => h('th', {scope: 'col', class: k === chosen[1] ? 'chosen' : null}, name))),
    values.map((row, q) => h('tr', {}, h('th', {scope: 'row', class: q === chosen[0] ? 'chosen' : null}, rows[q]),
      row.map((value, k) => {
        const pressed = q === chosen[0] && k === chosen[1], hidden = hides(q, k);
        // Where there are many, as the program shows them: .06.
        const text = hidden ? '?' : columns.length > 8 ? shownNumber(value).replace(/^(\u2212?)0\./, '$1.') : shownNumber(value);
        const button = h('button.cell', {type: 'button', 'data-id': `${letter}${q},${k}`, 'aria-pressed': String(pressed), tabindex: pressed ? 0 : -1,
          'aria-label': joined(letter, label(q, k), text), onclick: () => choose(q, k), onkeydown: event => walk(event, q, k)}, text);
        return h('td', {}, hidden || value === -Infinity ? button : painted(button, share(value)));
      }))));
}

// The stages that a scene's page can show, as in the program's chain.
function stageChoices(scene) {
  const all = [['X', 'X', t('tokens')], ['QK', 'Q K', t('queries, keys, values')], ['S', 'S', t('scores')], ['A', 'A', t('attention')], ['O', 'O', t('output')]];
  return scene.Q ? all.slice(1) : all;
}
