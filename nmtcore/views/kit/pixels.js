// @ts-check
// Many numbers as a picture with one pixel each, which the browser stretches: cheap however many there are.

/**
 * @param {HTMLCanvasElement} canvas as wide and high as there are columns and rows
 * @param {(row: number, column: number) => number[] | null} colorAt null for a transparent pixel
 */
export function paintPixels(canvas, colorAt) {
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  for (let at = 0; at < canvas.width * canvas.height; at += 1) {
    const color = colorAt(Math.floor(at / canvas.width), at % canvas.width);
    if (color) image.data.set([...color, 255], 4 * at);
  }
  pen.putImageData(image, 0, 0);
}

/** @returns {HTMLCanvasElement} */
export const emptyCanvas = (/** @type {number} */ width, /** @type {number} */ height) =>
  Object.assign(document.createElement("canvas"), { width: Math.ceil(width) || 1, height: Math.ceil(height) || 1 });

/**
 * An image, by its address, on a canvas; of its own size unless another is given.
 * @param {string} address
 * @param {number} [width]
 * @param {number} [height]
 */
export async function canvasOf(address, width, height) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = emptyCanvas(width ?? image.naturalWidth, height ?? image.naturalHeight);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * An image in other colours, as an address of its own.
 * @param {string} address
 * @param {(rgb: number[]) => number[]} colorOf
 */
export async function repainted(address, colorOf) {
  const canvas = await canvasOf(address);
  const pen = canvas.getContext("2d");
  const pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < pixels.data.length; at += 4) pixels.data.set(colorOf([...pixels.data.subarray(at, at + 3)]), at);
  pen.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
