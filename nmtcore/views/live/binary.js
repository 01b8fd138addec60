// @ts-check
// Numbers as base64, as nmtcore/views/binary.py packs them and kit/binary.js reads them.

/** @param {Int16Array | Uint16Array | Float32Array} numbers */
export function inBase64(numbers) {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
