/**
 * Script served as `mraid.js` in previews, where no app provides one. An MRAID 3.0 container that is ready and
 * viewable as soon as the page has loaded, has the size of its window, and posts a message to the parent page when
 * the playable opens an address or closes. Does not replace an existing container.
 */
export const MRAID_STUB = `(() => {
  if (window.mraid) return;
  const listeners = new Map();
  const tell = (message) => window.parent.postMessage({ source: 'mraid-preview', ...message }, '*');
  const emit = (event, ...values) => {
    for (const listener of [...(listeners.get(event) || [])]) listener(...values);
  };
  const size = () => ({ width: window.innerWidth, height: window.innerHeight });
  const place = () => ({ x: 0, y: 0, ...size() });
  let state = 'loading';
  let orientation = { allowOrientationChange: true, forceOrientation: 'none' };
  let expand = { useCustomClose: false, isModal: true };
  let resize = {};
  const setState = (next) => {
    state = next;
    emit('stateChange', next);
  };
  window.mraid = {
    getVersion: () => '3.0',
    getState: () => state,
    getPlacementType: () => 'interstitial',
    isViewable: () => state !== 'loading' && state !== 'hidden',
    addEventListener(event, listener) {
      listeners.set(event, [...(listeners.get(event) || []), listener]);
    },
    removeEventListener(event, listener) {
      listeners.set(event, listener ? (listeners.get(event) || []).filter((one) => one !== listener) : []);
    },
    open: (url) => tell({ type: 'open', url: String(url).slice(0, 2000) }),
    close() {
      tell({ type: 'close' });
      setState('hidden');
    },
    unload: () => tell({ type: 'close' }),
    expand: () => setState('expanded'),
    resize: () => setState('resized'),
    useCustomClose() {},
    playVideo: (url) => tell({ type: 'open', url: String(url).slice(0, 2000) }),
    storePicture() {},
    createCalendarEvent() {},
    supports: () => false,
    getMaxSize: size,
    getScreenSize: size,
    getCurrentPosition: place,
    getDefaultPosition: place,
    getCurrentAppOrientation: () => ({
      orientation: window.innerWidth > window.innerHeight ? 'landscape' : 'portrait',
      locked: false,
    }),
    getExpandProperties: () => ({ ...size(), ...expand }),
    setExpandProperties: (properties) => (expand = { ...expand, ...properties }),
    getOrientationProperties: () => orientation,
    setOrientationProperties: (properties) => (orientation = { ...orientation, ...properties }),
    getResizeProperties: () => resize,
    setResizeProperties: (properties) => (resize = { ...properties }),
    getLocation: () => -1,
  };
  const start = () => {
    setState('default');
    emit('ready');
    emit('viewableChange', true);
    emit('exposureChange', 100, place(), null);
  };
  if (document.readyState === 'complete') setTimeout(start);
  else window.addEventListener('load', () => setTimeout(start));
  window.addEventListener('resize', () => emit('sizeChange', window.innerWidth, window.innerHeight));
})();
`;
