import { ViewerError } from '../parts/fetch-file.ts';
import type { PictureSize } from './jxl-size.ts';

/** A picture as every canvas takes it. */
export interface Pixels extends PictureSize {
  rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** A picture of more pixels takes more memory than a phone gives to a page. */
const mostPixels = 50_000_000;

/** Refuses a picture without points, or with too many. */
export function checkSize(size: PictureSize | undefined): void {
  if (size === undefined || !(size.width > 0 && size.height > 0)) throw damagedPicture();
  if (size.width * size.height > mostPixels) {
    throw new ViewerError('The picture has too many pixels to show here.');
  }
}

export function damagedPicture(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

/** A number of a picture from 0 to 255. Of `lab`, the second and third are 128 where there is no colour. */
export type ReadNumber = (pixel: number, channel: number) => number;

type Colour = (
  pixel: number,
  read: ReadNumber,
  put: (r: number, g: number, b: number) => void,
) => void;

/** How the numbers of one point become a colour. Inks are full at 255. */
const colours = {
  grey: (pixel, read, put) => {
    const grey = read(pixel, 0);
    put(grey, grey, grey);
  },
  rgb: (pixel, read, put) => put(read(pixel, 0), read(pixel, 1), read(pixel, 2)),
  cmyk: (pixel, read, put) => {
    const light = (255 - read(pixel, 3)) / 255;
    const ink = (channel: number) => (255 - read(pixel, channel)) * light;
    put(ink(0), ink(1), ink(2));
  },
  lab: (pixel, read, put) => {
    const y = (read(pixel, 0) / 2.55 + 16) / 116;
    const [X, Y, Z] = [
      0.9642 * cubed(y + (read(pixel, 1) - 128) / 500),
      cubed(y),
      0.8249 * cubed(y - (read(pixel, 2) - 128) / 200),
    ];
    put(
      bright(3.1338561 * X - 1.6168667 * Y - 0.4906146 * Z),
      bright(-0.9787684 * X + 1.9161415 * Y + 0.033454 * Z),
      bright(0.0719453 * X - 0.2289914 * Y + 1.4052427 * Z),
    );
  },
} satisfies Record<string, Colour>;

export type ColourSpace = keyof typeof colours;

/** How many numbers a point has without its opacity. */
export const channelsOf: Readonly<Record<ColourSpace, number>> = {
  grey: 1,
  rgb: 3,
  cmyk: 4,
  lab: 3,
};

/** CIE 15, from a value of L*a*b* to one of XYZ. */
const cubed = (value: number) => (value > 6 / 29 ? value ** 3 : (value - 4 / 29) * (108 / 841));

/** IEC 61966-2-1, from a linear value to one of sRGB. */
function bright(linear: number): number {
  return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
}

/** Colours a picture; with opacity, its number follows those of the colour. */
export function colourPixels(
  { width, height }: PictureSize,
  space: ColourSpace,
  read: ReadNumber,
  hasOpacity: boolean,
): Pixels {
  const rgba = new Uint8ClampedArray(width * height * 4);
  const colour: Colour = colours[space];
  const opacity = channelsOf[space];
  let at = 0;
  const put = (r: number, g: number, b: number) => {
    rgba[at] = r;
    rgba[at + 1] = g;
    rgba[at + 2] = b;
  };
  for (let pixel = 0; pixel < width * height; pixel += 1, at += 4) {
    colour(pixel, read, put);
    rgba[at + 3] = hasOpacity ? read(pixel, opacity) : 255;
  }
  return { width, height, rgba };
}

/** Turns and mirrors a picture as its tag Orientation says (TIFF 6.0, section 8; 1 to 8). */
export function turnPixels(picture: Pixels, orientation: number): Pixels {
  if (!(orientation >= 2 && orientation <= 8)) return picture;
  const isSideways = orientation >= 5;
  const width = isSideways ? picture.height : picture.width;
  const height = isSideways ? picture.width : picture.height;
  const from = new Uint32Array(picture.rgba.buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = [3, 4, 7, 8].includes(orientation) ? height - 1 - y : y;
    for (let x = 0; x < width; x += 1, at += 1) {
      const column = [2, 3, 6, 7].includes(orientation) ? width - 1 - x : x;
      to[at] = from[isSideways ? column * picture.width + row : row * picture.width + column] ?? 0;
    }
  }
  return { width, height, rgba: new Uint8ClampedArray(to.buffer) };
}
