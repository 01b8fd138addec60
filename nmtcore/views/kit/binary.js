// @ts-check
// Numbers as base64, as nmtcore/views/binary.py packs them.

export function bytes(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
}

/** @param {Int16Array | Uint16Array | Float32Array} numbers */
export function inBase64(numbers) {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
