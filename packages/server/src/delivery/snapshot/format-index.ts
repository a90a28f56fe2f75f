import { formatKeyOf } from '../model/format-key.ts';
import { type Bitset, createBitset, setBit } from '../model/bitset.ts';
import type { FormatIndex } from './snapshot.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';

/** Groups ad sets by the creative formats of their creatives. */
export class FormatIndexBuilder {
  readonly #size: number;
  readonly #slots = new Map<CreativeFormat, Bitset>();

  constructor(size: number) {
    this.#size = size;
  }

  add({ index, creatives }: Candidate): void {
    for (const { creativeFormat } of creatives) {
      let bits = this.#slots.get(creativeFormat);
      if (!bits) this.#slots.set(creativeFormat, (bits = createBitset(this.#size)));
      setBit(bits, index);
    }
  }

  index(): FormatIndex {
    const slots = [...this.#slots].map(([creativeFormat, adsets]) => ({
      creativeFormat,
      formatKey: formatKeyOf(creativeFormat),
      adsets,
    }));
    const ofType = (type: CreativeFormat['type']) =>
      slots.filter(({ creativeFormat }) => creativeFormat.type === type);
    return {
      Banner: ofType('Banner'),
      Video: ofType('Video'),
      Playable: ofType('Playable'),
      Native: ofType('Native'),
    };
  }
}
