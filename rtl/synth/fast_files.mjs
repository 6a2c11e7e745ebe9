// SPDX-License-Identifier: Apache-2.0
// A loader hook for yosys's npm package, which copies a file anew with every 4096 bytes that are written to it: most of
// the time of a large module. Here a file gets room for twice its bytes when it is full.
const before = `    const newData = new Uint8Array(this.file.data.length + contents.length);
    newData.set(this.file.data);
    newData.subarray(Number(this.offset)).set(contents);
    this.file.data = newData;
`;
const after = `    const { file } = this;
    const size = Math.max(file.data.length, Number(this.offset) + contents.length);
    if (!file.room || file.data.buffer !== file.room.buffer || size > file.room.length) {
      file.room = new Uint8Array(2 * size);
      file.room.set(file.data);
    }
    file.data = file.room.subarray(0, size);
    file.data.set(contents, Number(this.offset));
`;

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (url.endsWith('/@yowasp/yosys/gen/bundle.js')) loaded.source = String(loaded.source).replace(before, () => after);
  return loaded;
}
