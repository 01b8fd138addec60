// @ts-check
// Numbers that come as base64: what Python packs with `in_base64`.

export function bytes(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
}
