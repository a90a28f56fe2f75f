import type { Bits } from '../model/bitset.ts';
import { bitsFor, setBit } from '../model/bitset.ts';
import type { ShapeIndex } from './snapshot.ts';
import type { Candidate, Shape } from '../model/candidate.ts';

/** Groups ad sets by the shapes of their creatives. */
export class ShapeIndexBuilder {
  readonly #size: number;
  readonly #slots = new Map<Shape, Bits>();

  constructor(size: number) {
    this.#size = size;
  }

  add({ index: place, creatives }: Candidate): void {
    for (const { shape } of creatives) {
      let bits = this.#slots.get(shape);
      if (!bits) this.#slots.set(shape, (bits = bitsFor(this.#size)));
      setBit(bits, place);
    }
  }

  index(): ShapeIndex {
    const slots = [...this.#slots].map(([shape, adsets]) => ({ shape, adsets }));
    const ofType = (type: Shape['type']) => slots.filter(({ shape }) => shape.type === type);
    return {
      Banner: ofType('Banner'),
      Video: ofType('Video'),
      Playable: ofType('Playable'),
      Native: ofType('Native'),
    };
  }
}
