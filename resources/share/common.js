// What all pages share: elements, words in the reader's language, numbers as text, light and dark.

const data = JSON.parse(document.getElementById('data').textContent);
const MINUS = '\u2212';
let language = data.language;

// The words of the page in the language in use; {names} are filled in.
function t(text, values = {}) {
  const said = data.words[language]?.[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);
}

// Parts of a sentence one after the other, with the comma of the language in use.
const joined = (...parts) => parts.join(t(', '));

// An element; a child that is a string becomes a text node, never markup.
function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const svg = ['svg', 'g', 'path', 'circle', 'rect', 'line', 'text', 'polyline', 'polygon'].includes(tag);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  if (classes.length) made.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) (made.handlers ??= {})[key] = made[key] = value;
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat(3).filter(child => child != null && child !== false));
  return made;
}

// As the program shows numbers: fixed decimals, a real minus, no negative zero.
function number(value, decimals = 3) {
  if (value === Infinity) return '∞';
  if (value === -Infinity) return MINUS + '∞';
  const size = Math.abs(value);
  const far = size >= 1e6 || (size > 0 && size < 0.5 * 10 ** -decimals && size < 1e-4);
  const text = far ? value.toExponential(1).replace('e+', 'e') : value.toFixed(decimals);
  return (/^-0\.?0*$/.test(text) ? text.slice(1) : text).replace('-', MINUS).replace('e-', 'e' + MINUS);
}

// With as few decimals as tell it, up to four.
function short(value) {
  let places = 1;
  while (places < 4 && Math.abs(+value.toFixed(places) - value) > 1e-12 * Math.max(1, Math.abs(value))) places++;
  return number(value, places);
}

const decimal = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i;

// What was typed: 0.5, 0,5, −1 or 1/3; NaN where it is no number.
function typed(text) {
  const parts = text.replace(/[\u2212\u2013]/g, '-').split('/').map(part => part.trim());
  if (parts.length > 2 || !parts.every(part => decimal.test(part))) return NaN;
  const [above, below = 1] = parts.map(part => +part.replace(',', '.'));
  const value = above / below;
  return Math.abs(value) <= 1e50 ? value : NaN;
}

const root = document.documentElement;
let chosenDark = null; // null: as the system

const isDark = () => chosenDark ?? matchMedia('(prefers-color-scheme: dark)').matches;

function useTheme(dark) {
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
}

// A colour of the ramp, 13 steps of which stand in the style: 0 … 1, or −1 … 1 with its negative half.
function ramp(share) {
  const style = getComputedStyle(root), at = Math.min(Math.abs(share), 1) * 12;
  const low = Math.min(Math.floor(at), 11), name = share < 0 ? '--n' : '--w';
  const [a, b] = [low, low + 1].map(step => {
    const hex = style.getPropertyValue(name + step).trim();
    return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  });
  const rgb = a.map((channel, i) => Math.round(channel + (b[i] - channel) * (at - low)));
  const light = rgb.map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  return {fill: `rgb(${rgb})`, ink: 1.05 / (luminance + 0.05) >= 4.5 ? '#fff' : '#05070b'};
}

function painted(element, share) {
  const {fill, ink} = ramp(share);
  element.style.backgroundColor = fill;
  element.style.color = ink;
  return element;
}

// Buttons of which one is pressed.
function segments(label, choices, chosen, choose) {
  return h('div.segments', {role: 'group', 'aria-label': label}, choices.map(([value, text, name]) =>
    h('button', {type: 'button', 'data-id': 'choice ' + value, 'aria-pressed': String(value === chosen), title: name,
      'aria-label': name, onclick: () => choose(value)}, text)));
}

// The buttons at the right of every page's head.
function pageButtons(redraw) {
  const others = Object.keys(data.words).filter(code => code !== language);
  return [
    ...others.map(code => h('button.plain', {type: 'button', lang: code, 'data-id': 'language',
      onclick: () => { root.lang = language = code; redraw(); }}, data.names[code])),
    h('button.plain', {type: 'button', 'data-id': 'theme', 'aria-label': t('Light or dark'),
      onclick: () => { chosenDark = !isDark(); useTheme(chosenDark); redraw(); }}, isDark() ? '☀' : '☾'),
  ];
}

// Draws now, and again when the theme changes, the page is printed or its size changes.
function show(redraw) {
  const again = () => { useTheme(isDark()); root.lang = language; redraw(); };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  addEventListener('beforeprint', () => { useTheme(false); redraw(); });
  addEventListener('afterprint', again);
  again();
}

const keyOf = node => node.dataset?.id ?? node.dataset?.edge ?? node.dataset?.table;

// Gives a part these children. One that was there stays the same element where it is of the same kind,
// so that it keeps the focus, a press that has begun and what is half typed.
function update(part, ...children) {
  let old = part.firstChild;
  for (const child of children.flat(3).filter(each => each != null && each !== false)) {
    const made = child.nodeType ? child : document.createTextNode(child);
    let same = old;
    while (same && (same.nodeName !== made.nodeName || keyOf(same) !== keyOf(made))) same = same.nextSibling;
    if (!same) { part.insertBefore(made, old); continue; }
    while (old !== same) { const next = old.nextSibling; old.remove(); old = next; }
    become(same, made);
    old = same.nextSibling;
  }
  while (old) { const next = old.nextSibling; old.remove(); old = next; }
}

// Makes an element, or a text, what another one is, which is thrown away.
function become(old, made) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  for (const {name} of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const {name, value} of made.attributes) if (name !== 'style' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  // The policy lets nobody set a style as an attribute.
  if (old.style.cssText !== made.style.cssText) old.style.cssText = made.style.cssText;
  for (const name in old.handlers) old[name] = null;
  Object.assign(old, made.handlers, {handlers: made.handlers});
  update(old, [...made.childNodes]);
  if (!old.matches('input, select') || old.typing) return;
  for (const name of ['value', 'checked']) if (old[name] !== made[name]) old[name] = made[name];
}
