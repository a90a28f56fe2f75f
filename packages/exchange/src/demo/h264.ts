/** A frame in the planes of YUV 4:2:0. Width and height are multiples of 16. */
export interface Frame {
  width: number;
  height: number;
  luma: Uint8Array;
  blue: Uint8Array;
  red: Uint8Array;
}

/** Parameters of a stream: what an `avcC` box holds (ISO 14496-15, 5.3.3). */
export interface StreamParameters {
  codec: string;
  description: Uint8Array;
}

const BLOCK = 16;
/** Baseline profile, constrained; level 3.1. */
const PROFILE = [0x42, 0xc0, 0x1f];
/** Types of macroblocks that hold plain samples: `I_PCM` in an I slice, and in a P slice (tables 7-11 and 7-13 of H.264). */
const PCM_IN_I = 25;
const PCM_IN_P = 30;

/**
 * Encodes frames as H.264 without loss and without compression of samples: a macroblock either holds its samples or is the
 * same as in the frame before. This suits short animations on a background that does not move, and needs no codec.
 */
export class PcmEncoder {
  readonly #columns: number;
  readonly #rows: number;
  #before: Frame | null = null;
  #frameNumber = 0;

  constructor(width: number, height: number) {
    if (width % BLOCK !== 0 || height % BLOCK !== 0)
      throw new RangeError('Width and height must be multiples of 16');
    this.#columns = width / BLOCK;
    this.#rows = height / BLOCK;
  }

  parameters(): StreamParameters {
    const sequence = nalUnit(0x67, [...PROFILE, ...sequenceParameters(this.#columns, this.#rows)]);
    const picture = nalUnit(0x68, pictureParameters());
    const head = [1, ...PROFILE, 0xff, 0xe1];
    return {
      codec: `avc1.${PROFILE.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      description: Uint8Array.from([...head, ...sized(sequence, 2), 1, ...sized(picture, 2)]),
    };
  }

  /** The next frame as an access unit with the length before its NAL unit. The first is a key frame. */
  encode(frame: Frame): { data: Uint8Array; isKey: boolean } {
    const isKey = this.#before === null;
    const bits = new BitWriter(frame.luma.length * 2);
    writeSliceHeader(bits, isKey, this.#frameNumber);
    let skipped = 0;
    for (let row = 0; row < this.#rows; row += 1) {
      for (let column = 0; column < this.#columns; column += 1) {
        if (this.#before && isSame(frame, this.#before, column, row)) {
          skipped += 1;
          continue;
        }
        if (!isKey) bits.unsigned(skipped);
        skipped = 0;
        bits.unsigned(isKey ? PCM_IN_I : PCM_IN_P);
        bits.align();
        writeSamples(bits, frame, column, row);
      }
    }
    if (skipped > 0) bits.unsigned(skipped);
    this.#before = frame;
    this.#frameNumber = (this.#frameNumber + 1) % 16;
    const unit = nalUnit(isKey ? 0x65 : 0x41, bits.finish());
    return { data: sized(unit, 4), isKey };
  }
}

/** H.264, 7.3.2.1.1, without the profile: one reference frame, output in the order of decoding. */
function sequenceParameters(columns: number, rows: number): Uint8Array {
  const bits = new BitWriter(64);
  bits.unsigned(0); // seq_parameter_set_id
  bits.unsigned(0); // log2_max_frame_num_minus4
  bits.unsigned(2); // pic_order_cnt_type
  bits.unsigned(1); // max_num_ref_frames
  bits.flag(false); // gaps_in_frame_num_value_allowed_flag
  bits.unsigned(columns - 1);
  bits.unsigned(rows - 1);
  bits.flag(true); // frame_mbs_only_flag
  bits.flag(true); // direct_8x8_inference_flag
  bits.flag(false); // frame_cropping_flag
  bits.flag(false); // vui_parameters_present_flag
  return bits.finish();
}

/** H.264, 7.3.2.2. */
function pictureParameters(): Uint8Array {
  const bits = new BitWriter(64);
  bits.unsigned(0); // pic_parameter_set_id
  bits.unsigned(0); // seq_parameter_set_id
  bits.flag(false); // entropy_coding_mode_flag: CAVLC
  bits.flag(false); // bottom_field_pic_order_in_frame_present_flag
  bits.unsigned(0); // num_slice_groups_minus1
  bits.unsigned(0); // num_ref_idx_l0_default_active_minus1
  bits.unsigned(0); // num_ref_idx_l1_default_active_minus1
  bits.flag(false); // weighted_pred_flag
  bits.bits(0, 2); // weighted_bipred_idc
  bits.unsigned(0); // pic_init_qp_minus26
  bits.unsigned(0); // pic_init_qs_minus26
  bits.unsigned(0); // chroma_qp_index_offset
  bits.flag(true); // deblocking_filter_control_present_flag
  bits.flag(false); // constrained_intra_pred_flag
  bits.flag(false); // redundant_pic_cnt_present_flag
  return bits.finish();
}

/** H.264, 7.3.3. */
function writeSliceHeader(bits: BitWriter, isKey: boolean, frameNumber: number): void {
  bits.unsigned(0); // first_mb_in_slice
  bits.unsigned(isKey ? 7 : 5); // slice_type: all slices of the picture are I, or P
  bits.unsigned(0); // pic_parameter_set_id
  bits.bits(frameNumber, 4);
  if (isKey) {
    bits.unsigned(0); // idr_pic_id
    bits.flag(false); // no_output_of_prior_pics_flag
    bits.flag(false); // long_term_reference_flag
  } else {
    bits.flag(false); // num_ref_idx_active_override_flag
    bits.flag(false); // ref_pic_list_modification_flag_l0
    bits.flag(false); // adaptive_ref_pic_marking_mode_flag
  }
  bits.unsigned(0); // slice_qp_delta
  bits.unsigned(1); // disable_deblocking_filter_idc
}

function isSame(frame: Frame, before: Frame, column: number, row: number): boolean {
  return planesOf(frame).every(([plane, size], index) => {
    const [other] = planesOf(before)[index]!;
    const stride = frame.width / (BLOCK / size);
    for (let line = 0; line < size; line += 1) {
      const from = (row * size + line) * stride + column * size;
      for (let at = from; at < from + size; at += 1) if (plane[at] !== other[at]) return false;
    }
    return true;
  });
}

function writeSamples(bits: BitWriter, frame: Frame, column: number, row: number): void {
  for (const [plane, size] of planesOf(frame)) {
    const stride = frame.width / (BLOCK / size);
    for (let line = 0; line < size; line += 1) {
      const from = (row * size + line) * stride + column * size;
      bits.bytes(plane.subarray(from, from + size));
    }
  }
}

/** The planes with the size of a macroblock in each. */
const planesOf = ({ luma, blue, red }: Frame): [Uint8Array, number][] => [
  [luma, BLOCK],
  [blue, BLOCK / 2],
  [red, BLOCK / 2],
];

/** A NAL unit with emulation prevention (H.264, 7.4.1): three bytes below 4 after two zeros do not occur in it. */
function nalUnit(type: number, payload: ArrayLike<number>): Uint8Array {
  const unit = new Uint8Array(1 + Math.ceil(payload.length * 1.5));
  unit[0] = type;
  let length = 1;
  let zeros = 0;
  for (let at = 0; at < payload.length; at += 1) {
    const byte = payload[at]!;
    if (zeros >= 2 && byte <= 3) {
      unit[length++] = 3;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    unit[length++] = byte;
  }
  return unit.subarray(0, length);
}

/** Bytes after their number, which takes `lengthBytes`. */
function sized(unit: Uint8Array, lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes + unit.length);
  for (let at = 0; at < lengthBytes; at += 1)
    bytes[at] = (unit.length >> (8 * (lengthBytes - 1 - at))) & 0xff;
  bytes.set(unit, lengthBytes);
  return bytes;
}

/** Writes bits, the most significant first. */
class BitWriter {
  #bytes: Uint8Array;
  #length = 0;
  #partial = 0;
  #filled = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#partial = (this.#partial << 1) | ((value >> bit) & 1);
      this.#filled += 1;
      if (this.#filled === 8) this.#push(this.#partial);
    }
  }

  flag(isSet: boolean): void {
    this.bits(isSet ? 1 : 0, 1);
  }

  /** An Exp-Golomb code, `ue(v)` of H.264, 9.1. */
  unsigned(value: number): void {
    const length = Math.floor(Math.log2(value + 1));
    this.bits(0, length);
    this.bits(value + 1, length + 1);
  }

  /** Fills the last byte with zeros. */
  align(): void {
    while (this.#filled !== 0) this.bits(0, 1);
  }

  /** Bytes at a byte boundary. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Ends the payload with its stop bit. */
  finish(): Uint8Array {
    this.bits(1, 1);
    this.align();
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
    this.#partial = 0;
    this.#filled = 0;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#bytes.length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
