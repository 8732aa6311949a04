import libheif from 'libheif-js/libheif-wasm/libheif.js';
import type { DecodedPicture, PictureRequest } from './decode-picture.ts';
import { checkSize, damagedPicture, type Pixels } from './pixels.ts';

/** A picture of a HEIC file, upright: burst photos and collections have several. */
export async function decodeHeic({
  bytes,
  decoder,
  page,
}: PictureRequest): Promise<Pixels & Pick<DecodedPicture, 'pages'>> {
  const response = await fetch(decoder);
  const library = await libheif({ wasmBinary: await response.arrayBuffer() });
  const images = new library.HeifDecoder().decode(bytes);
  const image = images[page];
  if (image === undefined) throw damagedPicture();
  const size = {
    width: library.heif_image_handle_get_width(image.handle),
    height: library.heif_image_handle_get_height(image.handle),
  };
  checkSize(size);
  const target = { ...size, data: new Uint8ClampedArray(size.width * size.height * 4) };
  const shown = await new Promise<typeof target | null>((resolve) =>
    image.display(target, resolve),
  );
  if (shown === null) throw damagedPicture();
  return { ...size, rgba: shown.data, pages: images.length };
}
