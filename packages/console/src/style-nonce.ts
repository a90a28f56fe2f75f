/** What the page's content security policy admits style elements by; its server makes one for each page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Where the library that keeps the page from scrolling under a dialog looks for it (get-nonce).
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
