// @ts-nocheck: the types of a service worker are in another library than those of a page
// The service worker: the site without a connection, after the first visit. VERSION, FILES and MODELS are written in when
// the site is made. Pages, scripts and opening pictures of one version stay together; models are kept by the worker of a
// page, and forgotten with the last version that has them.

const VERSION = "";
const FILES = [];
const MODELS = [];
const SHELL = `alignment-lab-${VERSION}`;
const KEPT = "alignment-lab-models";

self.addEventListener("install", (event) => {
  // From the host: the browser's own cache may hold the previous version's scripts, under the same names.
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("alignment-lab-") && ![SHELL, KEPT].includes(name);
  const forget = async () => Promise.all((await caches.keys()).filter(old).map((name) => caches.delete(name)));
  const named = new Set(MODELS.map((file) => new URL(file, self.registration.scope).href));
  const prune = async () => {
    const models = await caches.open(KEPT);
    await Promise.all((await models.keys()).filter(({ url }) => !named.has(url)).map((request) => models.delete(request)));
  };
  event.waitUntil(Promise.all([forget(), prune()]).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || !address.href.startsWith(self.registration.scope)) return;
  if (address.href.startsWith(new URL("models/", self.registration.scope).href)) return;
  const answer = async () => (await (await caches.open(SHELL)).match(request, { ignoreSearch: true })) ?? fetch(request);
  event.respondWith(answer());
});
