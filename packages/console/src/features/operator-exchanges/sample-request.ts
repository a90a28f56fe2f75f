/** A bid request for a banner in an Android app, in OpenRTB 2.6, to begin with. */
export const sampleRequest = JSON.stringify(
  {
    id: 'sample-1',
    at: 1,
    tmax: 200,
    cur: ['USD'],
    imp: [
      {
        id: '1',
        bidfloor: 0.5,
        bidfloorcur: 'USD',
        banner: { w: 320, h: 50, mimes: ['image/jpeg', 'image/png'] },
      },
    ],
    app: {
      name: 'Puzzle Game',
      bundle: 'com.example.puzzle',
      storeurl: 'https://play.google.com/store/apps/details?id=com.example.puzzle',
      cat: ['IAB9-30'],
      publisher: { id: 'publisher-1', name: 'Example Games' },
    },
    device: {
      os: 'Android',
      osv: '14',
      make: 'Google',
      model: 'Pixel 8',
      devicetype: 4,
      connectiontype: 2,
      language: 'en',
      ip: '203.0.113.9',
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8)',
      geo: { country: 'USA' },
    },
  },
  null,
  2,
);
