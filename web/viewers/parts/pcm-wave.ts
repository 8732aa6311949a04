/** PCM samples, as a file holds them. */
interface Samples {
  channels: number;
  rate: number;
  kind: 'integer' | 'float' | 'alaw' | 'ulaw';
  /** Of one sample. */
  bytes: number;
  isBigEndian: boolean;
  data: Uint8Array<ArrayBuffer>;
}

/**
 * Converts AIFF, AU and WAV with sample formats that few browsers play to 16-bit WAV; `undefined` for other
 * compression, and for what is no audio. (AIFF 1.3; AIFF-C, draft of 1991; au(4) of Solaris; RFC 2361.)
 */
export function pcmWave(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = bytes.length < 24 ? undefined : samplesOf(view, bytes);
  if (samples === undefined) return undefined;
  const { channels, rate } = samples;
  const isPlayable = channels > 0 && channels <= 32 && rate >= 1000 && rate <= 768_000;
  return isPlayable ? waveOf(samples) : undefined;
}

function samplesOf(view: DataView, bytes: Uint8Array<ArrayBuffer>): Samples | undefined {
  const mark = nameAt(view, 0);
  const form = nameAt(view, 8);
  if (mark === 'FORM' && /^AIF[FC]$/.test(form)) return samplesOfAiff(view, bytes);
  if (mark === '.snd') return samplesOfAu(view, bytes);
  if (/^RIF[FX]$/.test(mark) && form === 'WAVE') return samplesOfWave(view, bytes, mark === 'RIFX');
  return undefined;
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((next) => view.getUint8(at + next)));
}

/** Where the content of each chunk is; chunks begin at even places. */
function chunksIn(
  view: DataView,
  isBigEndian: boolean,
): Map<string, { start: number; end: number }> {
  const chunks = new Map<string, { start: number; end: number }>();
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const size = view.getUint32(at + 4, !isBigEndian);
    const end = Math.min(at + 8 + size, view.byteLength);
    const name = nameAt(view, at);
    if (!chunks.has(name)) chunks.set(name, { start: at + 8, end });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

const aiffKinds: ReadonlyMap<string, Samples['kind']> = new Map([
  ...['NONE', 'twos', 'sowt', 'in24', 'in32', 'raw '].map((name) => [name, 'integer'] as const),
  ...['fl32', 'FL32', 'fl64', 'FL64'].map((name) => [name, 'float'] as const),
  ...['alaw', 'ALAW'].map((name) => [name, 'alaw'] as const),
  ...['ulaw', 'ULAW'].map((name) => [name, 'ulaw'] as const),
]);

function samplesOfAiff(view: DataView, bytes: Uint8Array<ArrayBuffer>): Samples | undefined {
  const chunks = chunksIn(view, true);
  const common = chunks.get('COMM');
  const sound = chunks.get('SSND');
  if (common === undefined || sound === undefined || common.end - common.start < 18)
    return undefined;
  const at = common.start;
  const compression = common.end - at >= 22 ? nameAt(view, at + 18) : 'NONE';
  const kind = aiffKinds.get(compression);
  // The rate is a number of 80 bits.
  const rate = view.getUint32(at + 10) * 2 ** ((view.getUint16(at + 8) & 0x7fff) - 16_383 - 31);
  return (
    kind && {
      channels: view.getUint16(at),
      rate: Math.round(rate),
      kind,
      bytes: kind === 'alaw' || kind === 'ulaw' ? 1 : Math.ceil(view.getUint16(at + 6) / 8),
      isBigEndian: compression !== 'sowt',
      data: bytes.subarray(sound.start + 8, sound.end),
    }
  );
}

/** Encodings by their numbers, and the bytes of one sample. */
const auKinds: Readonly<Record<number, Pick<Samples, 'kind' | 'bytes'>>> = {
  1: { kind: 'ulaw', bytes: 1 },
  2: { kind: 'integer', bytes: 1 },
  3: { kind: 'integer', bytes: 2 },
  4: { kind: 'integer', bytes: 3 },
  5: { kind: 'integer', bytes: 4 },
  6: { kind: 'float', bytes: 4 },
  7: { kind: 'float', bytes: 8 },
  27: { kind: 'alaw', bytes: 1 },
};

function samplesOfAu(view: DataView, bytes: Uint8Array<ArrayBuffer>): Samples | undefined {
  const start = view.getUint32(4);
  const kind = auKinds[view.getUint32(12)];
  // A program that did not know the length wrote the largest number.
  const data = bytes.subarray(start, start + view.getUint32(8));
  const [rate, channels] = [view.getUint32(16), view.getUint32(20)];
  return kind && { ...kind, channels, rate, isBigEndian: true, data };
}

/** The formats of RFC 2361; 0xfffe names one of them in its own fields. */
const waveKinds: ReadonlyMap<number, Samples['kind']> = new Map([
  [1, 'integer'],
  [3, 'float'],
  [6, 'alaw'],
  [7, 'ulaw'],
]);

function samplesOfWave(
  view: DataView,
  bytes: Uint8Array<ArrayBuffer>,
  isBigEndian: boolean,
): Samples | undefined {
  const chunks = chunksIn(view, isBigEndian);
  const format = chunks.get('fmt ');
  const sound = chunks.get('data');
  if (format === undefined || sound === undefined || format.end - format.start < 16)
    return undefined;
  const at = format.start;
  const tag = view.getUint16(at, !isBigEndian);
  const isLong = tag === 0xfffe && format.end - at >= 26;
  const kind = waveKinds.get(isLong ? view.getUint16(at + 24, !isBigEndian) : tag);
  return (
    kind && {
      channels: view.getUint16(at + 2, !isBigEndian),
      rate: view.getUint32(at + 4, !isBigEndian),
      kind,
      bytes: Math.ceil(view.getUint16(at + 14, !isBigEndian) / 8),
      isBigEndian,
      data: bytes.subarray(sound.start, sound.end),
    }
  );
}

const headerBytes = 44;

function waveOf(samples: Samples): Uint8Array<ArrayBuffer> | undefined {
  const { channels, rate, data, bytes } = samples;
  const read = readerOf(samples);
  if (read === undefined) return undefined;
  const count = Math.floor(data.length / bytes / channels) * channels;
  const wave = new Uint8Array(headerBytes + 2 * count);
  const view = new DataView(wave.buffer);
  for (const [at, name] of [
    [0, 'RIFF'],
    [8, 'WAVE'],
    [12, 'fmt '],
    [36, 'data'],
  ] as const)
    wave.set(new TextEncoder().encode(name), at);
  view.setUint32(4, wave.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, 2 * count, true);
  for (let index = 0; index < count; index += 1)
    view.setInt16(headerBytes + 2 * index, read(index * bytes), true);
  return wave;
}

/** Reads the sample at a place as one of 16 bits; `undefined` for samples of another size. */
function readerOf({
  kind,
  bytes,
  isBigEndian,
  data,
}: Samples): ((at: number) => number) | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLittle = !isBigEndian;
  if (kind === 'alaw') return (at) => ofALaw(view.getUint8(at));
  if (kind === 'ulaw') return (at) => ofULaw(view.getUint8(at));
  if (kind === 'float') {
    if (bytes !== 4 && bytes !== 8) return undefined;
    const read = (at: number) =>
      bytes === 4 ? view.getFloat32(at, isLittle) : view.getFloat64(at, isLittle);
    return (at) => Math.max(-1, Math.min(1, read(at) || 0)) * 32_767;
  }
  // Numbers of one byte have a sign in AIFF, and none in WAV.
  if (bytes === 1) return (at) => (isBigEndian ? view.getInt8(at) : view.getUint8(at) - 128) << 8;
  if (bytes < 2 || bytes > 4) return undefined;
  return (at) => view.getInt16(isBigEndian ? at : at + bytes - 2, isLittle);
}

/** ITU-T G.711, tables 1 and 2. */
function ofALaw(byte: number): number {
  const value = byte ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = ((value & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (value & 0x80) === 0 ? -size : size;
}

function ofULaw(byte: number): number {
  const value = ~byte & 0xff;
  const size = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84;
  return (value & 0x80) === 0 ? size : -size;
}
