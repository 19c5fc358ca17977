// A lesson: steps with questions, tables to fill in and tasks, beside the scene that they speak of.

function lessonPage() {
  const page = document.getElementById('page'), head = h('header'), body = h('div.body.lesson'), card = h('section.card');
  page.replaceChildren(head, body);
  const states = data.steps[data.language].map(() => ({fill: {}, marks: {}}));
  let place = 0, view = null;
  const step = () => data.steps[language][place];
  const last = () => place === states.length;

  // Whether a question of this step or a later one still hides a table, or a cell of it.
  function hides(letter, row = null, column = null) {
    if (last()) return false;
    const fill = step().fill;
    if (fill && !states[place].known && fill.hides.includes(letter)) return true;
    return Object.entries(step().asks ?? {}).some(([later, veils]) => !states[later].known &&
      veils.some(([table, r, c]) => table === letter && (r == null || row == null || r === row) && (c == null || column == null || c === column)));
  }

  function put(scene = step().scene, changes = {}) {
    view = null;
    body.classList.toggle('bare', scene == null);
    if (scene == null) { body.replaceChildren(card); return; }
    const made = sceneView(body, data.scenes[scene], {...step().view, ...changes}, {hides, changed: check});
    body.prepend(card);
    view = made;
  }

  function check(result, state, scene) {
    const task = last() ? null : step().task, known = states[place];
    if (!task?.check || known.done || !holds(task.check, result, state, scene)) return;
    known.done = true;
    setTimeout(draw);
  }

  function go(to) {
    place = to;
    put(last() ? null : step().scene);
    draw();
    scrollTo(0, 0);
    card.querySelector('.count').focus();
  }

  function draw() {
    update(head, h('h1', {}, data.titles[language]),
      view ? segments(t('Stage'), stageChoices(view.scene), view.state.stage, stage => { view.choose({stage}); draw(); }) : h('span'),
      h('div.tools', {}, view ? h('button.over', {type: 'button', 'data-id': 'over', onclick: () => { put(); draw(); }},
        h('span', {'aria-hidden': 'true'}, '↺'), h('span.word', {}, t('Start over'))) : null,
      pageButtons(() => { put(last() ? null : step().scene); draw(); })));
    update(card, last() ? questions() : parts());
    view?.draw();
  }

  const action = (id, text, act, more = {}) => h('button.action', {type: 'button', 'data-id': id, onclick: act, ...more}, text);
  const said = (text, right) => h('p.said', {role: 'status', class: `said ${right == null ? '' : right ? 'right' : 'wrong'}`}, text);

  function parts() {
    const now = step(), known = states[place], found = [];
    found.push(h('p.count', {tabindex: '-1'}, t('Step {n} of {count}', {n: place + 1, count: states.length})), h('p.text', {}, now.text));
    if (now.note) found.push(h('p.note', {}, now.note));
    if (now.formula != null) found.push(formula(data.formulas[now.formula]));
    if (now.code) found.push(h('pre', {}, now.code.map(([line, marked]) => h(marked ? 'b' : 'span', {}, line + '\n'))));
    if (now.question) found.push(question(now.question, known));
    if (now.fill) found.push(fill(now.fill, known));
    if (now.task) found.push(task(now.task, known));
    found.push(h('nav', {}, action('back', t('Back'), () => go(place - 1), {disabled: place === 0}),
      action('next', t('Next'), () => go(place + 1), {class: 'action primary'})));
    return found;
  }

  function formula({tex, size, box, parts}) {
    return h('svg.formula', {role: 'img', 'aria-label': tex, width: size[0], height: size[1], viewBox: box},
      parts.map(([kind, attributes, slot]) => h(slot < 0 ? kind : `${kind}.t${slot}`, attributes)));
  }

  function question(asked, known) {
    const answered = (right, text) => { known.known = true; known.right = right; known.said = text; draw(); };
    const made = [h('p.ask', {}, asked.text)];
    if (asked.choices) made.push(h('div.choices', {role: 'group', 'aria-label': asked.text}, asked.choices.map(choice =>
      action('answer ' + choice, choice, () => { known.given = choice; answered(...asked.said[choice]); },
        {disabled: !!known.known, 'aria-pressed': String(known.given === choice)}))));
    else {
      // No form: a frame that may not send any, as of a learning platform, would not tell of Enter.
      const input = h('input', {'data-id': 'answer', autocomplete: 'off', value: known.given ?? '', 'aria-label': asked.text,
        disabled: !!known.known, oninput: event => { known.given = event.target.value; }, onkeydown: event => { if (event.key === 'Enter') judge(); }});
      const judge = () => {
        const text = known.given ?? '';
        if (Number.isNaN(typed(text))) { known.said = t('Type a number, for example 0.5'); draw(); return; }
        if (fits(text, asked.value)) answered(true, asked.right);
        else if (known.tried) answered(false, asked.wrong);
        else {
          const hint = asked.hints.find(([wrong]) => fits(text, wrong));
          Object.assign(known, {tried: true, right: false, said: hint?.[1] ?? asked.again});
          draw();
        }
      };
      made.push(h('p', {}, input, ' ', action('check', t('Check'), judge, {disabled: !!known.known})));
    }
    if (known.said) made.push(said(known.said, known.right));
    return h('div.question', {}, made);
  }

  // Whether a typed number is the right one, rounded to its decimals, of which two are needed.
  function fits(text, value, within = 0) {
    const digits = (/[.,](\d*)/.exec(text)?.[1] ?? '').length;
    return Math.abs(typed(text) - value) <= 0.5 * 10 ** -Math.max(2, digits) + within + 1e-12 * Math.max(1, Math.abs(value));
  }

  function fill(table, known) {
    const cell = (value, r, c) => {
      if (typeof value === 'string') return h('td', {}, value);
      const id = `fill ${r},${c}`, mark = known.marks[id];
      return h('td', {}, h('input', {'data-id': id, autocomplete: 'off', value: known.fill[id] ?? '', 'aria-invalid': mark === false ? 'true' : null,
        class: mark ? 'right' : null, 'aria-label': joined(table.letter, table.rows[r], table.columns?.[c] ?? c + 1),
        oninput: event => { known.fill[id] = event.target.value; delete known.marks[id]; }}));
    };
    const checkAll = () => {
      let right = 0, all = 0;
      table.cells.forEach((row, r) => row.forEach((value, c) => {
        if (typeof value === 'string') return;
        const id = `fill ${r},${c}`, text = known.fill[id] ?? '';
        all++;
        if (text) right += known.marks[id] = fits(text, value, table.within);
      }));
      known.right = right === all;
      known.known ||= known.right;
      known.said = known.right ? t('All correct.') : t('{right} of {all} right', {right, all});
      draw();
    };
    const reveal = () => {
      table.cells.forEach((row, r) => row.forEach((value, c) => { if (typeof value !== 'string') known.fill[`fill ${r},${c}`] = number(value); }));
      Object.assign(known, {known: true, right: null, said: '', marks: {}});
      draw();
    };
    return h('div.question', {}, h('p.ask', {}, t('Fill in the table, with at least two decimals.')), h('div.scroll', {}, h('table.rows', {}, h('caption', {}, h('b', {}, table.letter)),
      table.columns ? h('tr', {}, h('td'), table.columns.map(name => h('th', {scope: 'col'}, h('span.name', {}, name)))) : null,
      table.cells.map((row, r) => h('tr', {}, h('th', {scope: 'row'}, h('span.name', {}, table.rows[r])), row.map((value, c) => cell(value, r, c)))))),
    action('check', t('Check'), checkAll), ' ', known.said && !known.known ? action('reveal', t('Show the numbers'), reveal) : null, known.said ? said(known.said, known.right) : null);
  }

  function task(asked, known) {
    const options = (asked.options ?? []).map(([option, title, choices]) => {
      const now = optionOf(view.scene, option);
      const act = event => { setOption(view.scene, option, choices ? event.target.value : typed(event.target.value)); view.choose({}); draw(); };
      return h('label', {}, title, ' ', choices ? h('select', {'data-id': option, onchange: act}, choices.map(([value, text]) => h('option', {value, selected: value === now}, text)))
        : h('input', {'data-id': option, value: now, onchange: act}));
    });
    const solve = () => { known.done = known.shown = true; put(asked.solved, {stage: asked.stage}); draw(); };
    return h('div.question', {}, h('p.ask', {}, asked.text), options.length && view ? h('p.choices', {}, options) : null,
      known.hint ? h('p.hint-text', {}, asked.hint) : action('hint', t('Hint'), () => { known.hint = true; draw(); }), ' ',
      known.hint && asked.check && !known.done ? action('solve', t('Show the solution'), solve) : null,
      known.done && !known.shown ? said(t('Done.'), true) : null);
  }

  function questions() {
    const asked = data.questions[language];
    return [h('p.count', {tabindex: '-1'}, asked.length ? t('To think about') : t('The lesson is over.')),
      asked.map(([text, answer]) => h('div.question', {}, h('p.ask', {}, text), answer ? h('details', {}, h('summary', {}, t('Answer')), h('p', {}, answer)) : null)),
      h('nav', {}, action('back', t('Back'), () => go(place - 1)))].flat();
  }

  globalThis.explorer = {attend, holds, view: () => view, go, states}; // for tests and the curious
  put();
  show(draw);
}

// The number that a lesson means, in the shown head where it names none.
function reading({table, row, column, head}, result, state, scene) {
  const own = head ?? state.head, tables = {X: result.X, P: result.position, 'X + P': result.placed, output: result.output,
    'head output': result.headOutput[own], Q: result.Q[own], K: result.K[own], V: result.V[own], raw: result.raw[own],
    scores: result.scores[own], weights: result.weights[own]};
  let found = tables[table];
  if (!found && table[0] === 'W' && table !== 'Wo') found = ofHead(scene[table], own, result.heads);
  if (!found && table[0] === 'b' && table !== 'bo') found = [biasOf(scene[table], own, result.heads)];
  found ??= Array.isArray(scene[table]?.[0]) ? scene[table] : [scene[table]];
  return found?.[row]?.[column];
}

const optionOf = (scene, option) => (option === 'mask' ? sequenceOf(scene, 0).mask : scene.options[option]) ??
  {temperature: 1, heads: 1}[option] ?? 'none';

function setOption(scene, option, value) {
  if (Number.isNaN(value)) return;
  if (option === 'mask' && scene.sequences) scene.sequences[0].mask = value;
  scene.options[option] = value;
}

function holds(check, result, state, scene) {
  const each = one => holds(one, result, state, scene);
  if (check.all) return check.all.every(each);
  if (check.any) return check.any.some(each);
  if (check.stage) return state.stage === check.stage;
  if (check.option) {
    const now = optionOf(scene, check.option);
    return Array.isArray(now) ? check.is === 'own' : typeof now === 'number' ? Math.abs(now - check.is) <= 1e-9 * Math.abs(now) : now === check.is;
  }
  const value = reading(check, result, state, scene);
  const than = typeof check.than === 'number' ? check.than : reading(check.than, result, state, scene);
  const same = Math.abs(value - than) <= check.within || value === than;
  return {'<': value < than, '<=': value <= than, '>': value > than, '>=': value >= than, '==': same, '!=': !same}[check.op];
}
