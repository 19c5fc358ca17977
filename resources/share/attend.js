// What attention is: the same computation as the program's, from a scene as its file has it.
// Row convention: Q = X Wq. A matrix is a list of rows.

const product = (A, B) => A.map(row => B[0].map((_, j) => row.reduce((sum, a, k) => sum + a * B[k][j], 0)));
const transposed = A => A[0].map((_, j) => A.map(row => row[j]));
const columns = (A, from, to) => A.map(row => row.slice(from, to));
const sum = row => row.reduce((a, b) => a + b, 0);

// The tokens, X, context and mask of one of a scene's sequences; X holds Q where these are given.
function sequenceOf(scene, place) {
  if (scene.Q) {
    const context = {tokens: scene.key_tokens ?? scene.tokens, X: scene.K};
    return {tokens: scene.tokens, X: scene.Q, context, mask: scene.options.mask};
  }
  const own = scene.sequences ? scene.sequences[place] : scene;
  return {tokens: own.tokens, X: own.X, context: own.context ?? null, mask: own.mask ?? scene.options.mask};
}

// One head's part of a W or b, kept as a list a head or with the heads side by side.
function ofHead(W, head, heads) {
  if (Array.isArray(W[0]?.[0])) return W[head];
  const width = W[0].length / heads;
  return columns(W, head * width, (head + 1) * width);
}

function biasOf(b, head, heads) {
  if (Array.isArray(b[0])) return b[head];
  return b.slice(head * b.length / heads, (head + 1) * b.length / heads);
}

function positionRows(position, T, d) {
  if (Array.isArray(position)) return position.slice(0, T);
  if (position !== 'sinusoidal') return null;
  return Array.from({length: T}, (_, t) => Array.from({length: d}, (_, i) => {
    const angle = t / 10000 ** ((i - i % 2) / d);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  }));
}

// x / √(mean of x² + ε) · gain.
function normed(row, gain, epsilon) {
  const root = Math.sqrt(sum(row.map(x => x * x)) / row.length + epsilon);
  return row.map((x, i) => x / root * gain[i]);
}

function frequencies({dims, base, scaling, factor, low, high, original}) {
  return Array.from({length: dims / 2}, (_, i) => {
    const turn = 1 / base ** (2 * i / dims);
    if (scaling === 'linear') return turn / factor;
    if (scaling !== 'llama3') return turn;
    const wave = 2 * Math.PI / turn;
    if (wave > original / low) return turn / factor;
    if (wave < original / high) return turn;
    const blend = (original / wave - low) / (high - low);
    return (1 - blend) * turn / factor + blend * turn;
  });
}

// A row of Q or K, turned by its position.
function turned(row, place, rotary) {
  const made = row.slice(), half = rotary.dims / 2;
  frequencies(rotary).forEach((turn, i) => {
    const [a, b] = rotary.pairing === 'halves' ? [i, i + half] : [2 * i, 2 * i + 1];
    const cos = Math.cos(place * turn), sin = Math.sin(place * turn);
    made[a] = row[a] * cos - row[b] * sin;
    made[b] = row[b] * cos + row[a] * sin;
  });
  return made;
}

// The mistake of splitting heads by reshape: rows of all heads side by side, read on as if heads came first.
function mixed(perHead) {
  const H = perHead.length, T = perHead[0].length, width = perHead[0][0].length;
  const flat = perHead[0].flatMap((_, t) => perHead.flatMap(rows => rows[t]));
  return perHead.map((_, h) => perHead[0].map((_, t) => {
    const start = (h * T + t) * width;
    return flat.slice(start, start + width);
  }));
}

// What is divided by, and what a variant divides or multiplies elsewhere.
function division(options, d_k) {
  const root = Math.sqrt(d_k), temperature = options.temperature ?? 1;
  const scale = options.scale === 'sqrt_dk' ? root : options.scale === 'none' ? 1 : options.scale;
  const usual = {divisor: scale * temperature, weightDivisor: 1, outputFactor: 1};
  switch (options.variant) {
    case 'average': return {...usual, divisor: Infinity};
    case 'softmax_first': return {...usual, divisor: temperature, weightDivisor: root};
    case 'multiplied': return {...usual, divisor: temperature / root};
    case 'output_scaled': return {...usual, outputFactor: root};
    case 'unscaled': return {...usual, divisor: temperature};
    default: return usual;
  }
}

// A row where every key is masked gives zeros.
function softmax(row) {
  const largest = Math.max(...row);
  if (largest === -Infinity) return row.map(() => 0);
  const powers = row.map(s => Math.exp(s - largest));
  const total = sum(powers);
  return powers.map(p => p / total);
}

// Every intermediate result of one sequence; Q, K, V, raw, scores, weights, headOutput: one matrix a head.
function attend(scene, place = 0) {
  const options = scene.options, {tokens, X, context, mask} = sequenceOf(scene, place);
  const position = positionRows(options.position, X.length, X[0].length);
  const placed = position ? X.map((row, t) => row.map((x, i) => x + position[t][i])) : X;
  const rows = context ? context.X : placed;
  const H = scene.Wq ? (Array.isArray(scene.Wq[0][0]) ? scene.Wq.length : options.heads ?? 1) : 1;
  const projected = (from, letter) => Array.from({length: H}, (_, h) => {
    if (!scene.Wq) return letter === 'v' && scene.Q ? scene.V : from;
    const made = product(from, ofHead(scene['W' + letter], h, H)), b = scene['b' + letter];
    if (!b) return made;
    const own = biasOf(b, h, H);
    return made.map(row => row.map((x, i) => x + own[i]));
  });
  let Q = projected(placed, 'q'), K = projected(rows, 'k'), V = projected(rows, 'v');
  if (options.variant === 'heads_mixed') [Q, K, V] = [Q, K, V].map(mixed);
  const {qk_norm: norm, rotary} = options;
  const entering = (heads, gain) => heads.map(rows => rows.map((row, t) => {
    const made = norm ? normed(row, norm[gain], norm.epsilon) : row;
    return rotary ? turned(made, t, rotary) : made;
  }));
  [Q, K] = [entering(Q, 'query'), entering(K, 'key')];
  const divided = division(options, Q[0][0].length), {divisor, weightDivisor, outputFactor} = divided;
  const sees = (t, s) => mask === 'causal' ? s <= t : !Array.isArray(mask) || mask[t][s];
  const raw = Q.map((rows, h) => product(rows, transposed(K[h])));
  const scores = raw.map(rows => rows.map((row, t) => row.map((r, s) => sees(t, s) ? r / divisor + 0 : -Infinity)));
  const weights = scores.map(rows => rows.map(row => softmax(row).map(w => w / weightDivisor)));
  const headOutput = weights.map((rows, h) => product(rows, V[h]).map(row => row.map(o => o * outputFactor)));
  const together = tokens.map((_, t) => headOutput.flatMap(rows => rows[t]));
  let output = together;
  if (scene.Wo) {
    output = product(together, scene.Wo);
    if (scene.bo) output = output.map(row => row.map((o, i) => o + scene.bo[i]));
  }
  const keys = context ? context.tokens : tokens;
  return {...divided, tokens, keys, X, context, position, placed, Q, K, V, raw, scores, weights, headOutput,
    together, output, heads: H, sees};
}
