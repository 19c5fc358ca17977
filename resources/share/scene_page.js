// The page of one scene.

function scenePage() {
  const page = document.getElementById('page'), body = h('div.body'), head = h('header');
  page.replaceChildren(head, body);
  let view;
  const hidden = new Set(data.view.hidden); // what is to be predicted or filled in first
  const start = () => { view = sceneView(body, data.scene, {...data.view, note: data.note}, {hides: letter => hidden.has(letter)}); };
  const redraw = () => {
    update(head,
      h('h1', {}, t(data.title) || t('Attention')), h('p.hint', {}, t('Drag a token; click a cell.')),
      segments(t('Stage'), stageChoices(data.scene), view.state.stage, stage => { view.choose({stage}); redraw(); }),
      h('div.tools', {}, hidden.size ? h('button.action', {type: 'button', 'data-id': 'reveal', onclick: () => { hidden.clear(); redraw(); }},
        t('Show the numbers')) : null, h('button.over', {type: 'button', 'data-id': 'over', onclick: () => { const {stage} = view.state; start(); view.choose({stage}); }},
        h('span', {'aria-hidden': 'true'}, '↺'), h('span.word', {}, t('Start over'))),
      pageButtons(redraw)));
    view.draw();
  };
  globalThis.explorer = {attend, view: () => view}; // for tests and the curious
  start();
  show(redraw);
}
