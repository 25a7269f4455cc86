/* Does this program's own rotary embedding agree with golden vectors?

     ropeproof golden config.json --output golden.json
     cc -std=c99 -Wall -Werror golden_check.c -o golden_check -lm
     ./golden_check golden.json [float64|float32|bfloat16|float16]

   Exit 0: it conforms; 1: it does not; 2: the file or the arguments cannot be used.

   To test a function of your own, put it in place of `frequencies` and `rotate`. With -DREAL=double
   they work in double. With -DFAULT=1 and so on they are wrong in a known way and have to be refused.
   The format is described in docs/golden.md. */

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL float
#endif
#ifndef FAULT
#define FAULT 0
#endif

typedef REAL real;

enum { MOST_DEPTH = 32, MOST_DIM = 1 << 16, MOST_AXES = 16 };

static void refuse(const char *format, ...) {
  va_list given;
  va_start(given, format);
  fputs("golden_check: ", stderr);
  vfprintf(stderr, format, given);
  fputc('\n', stderr);
  va_end(given);
  exit(2);
}

static void *make(size_t count, size_t size) {
  void *found = calloc(count ? count : 1, size);
  if (!found) refuse("out of memory");
  return found;
}

/* ---- The function under test. ---- */

typedef struct {
  int head_dim, rotary_dim, rotary_start, interleaved;
  double base;
  int scaled; /* 0: not; 1: linear; 2: llama3; 3: another, whose frequencies are the file's. */
  double factor, low, high, original;
  double attention;    /* of the file */
  const double *given; /* frequencies of the file, one for each plane */
  int axes;            /* coordinates of a position: 1, or those that `axis` and `power` are about */
  const double *axis;  /* of each rotated plane, the number of the coordinate that turns it */
  const double *power; /* of each rotated plane, e in its frequency base to the -e */
} Rope;

/* The nearest number with so many bits of significand; exponents as in the type. */
static double rounded(double x, int bits, int least) {
  int exponent;
  if (x == 0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  exponent = exponent - 1 < least ? least : exponent - 1;
  return ldexp(nearbyint(ldexp(x, bits - 1 - exponent)), exponent - bits + 1);
}

static real scaled(const Rope *rope, real theta) {
  const double pi = 3.14159265358979323846;
  real turns, smooth;
  if (rope->scaled == 1) return theta / (real)rope->factor;
  if (rope->scaled != 2) return theta;
  turns = (real)(rope->original / (2 * pi)) * theta;
  if (turns < (real)rope->low) return theta / (real)rope->factor;
  if (turns > (real)rope->high) return theta;
  smooth = (turns - (real)rope->low) / (real)(rope->high - rope->low);
  return (1 - smooth) * theta / (real)rope->factor + smooth * theta;
}

/* One frequency for each rotated plane, in radians per position. */
static void frequencies(const Rope *rope, real *theta) {
  int plane, planes = rope->rotary_dim / 2;
  for (plane = 0; plane < planes; plane++) {
    double base = FAULT == 1 ? 10000.0 : rope->base;
    double width = FAULT == 11 ? rope->head_dim : rope->rotary_dim;
    double power = rope->power && FAULT != 18 ? rope->power[plane] : 2.0 * plane / width;
    theta[plane] = (real)pow(base, -power);
    if (FAULT != 6) theta[plane] = scaled(rope, theta[plane]);
    if (FAULT == 7) theta[plane] = scaled(rope, theta[plane]);
    if (rope->scaled == 3) theta[plane] = (real)rope->given[plane];
    if (FAULT == 14) theta[plane] = (real)rounded(theta[plane], 8, -126);
  }
}

/* Which coordinate of a position turns a plane. */
static int axis_of(const Rope *rope, int plane) {
  int axis = rope->axis ? (int)rope->axis[plane] : 0;
  if (FAULT == 16) return 0;
  if (FAULT == 17) return rope->axes - 1 - axis;
  if (FAULT == 19) return plane % rope->axes;
  return axis;
}

/* The vector at that position, in place; the position has `rope->axes` coordinates. */
static void rotate(const Rope *rope, const real *theta, const int64_t *place, real *x) {
  int plane, rotary = FAULT == 8 ? rope->head_dim : rope->rotary_dim;
  int interleaved = FAULT == 2 ? !rope->interleaved : rope->interleaved;
  int apart = FAULT == 9 ? rope->head_dim / 2 : rotary / 2;
  real attention = (real)(rope->scaled == 3 ? rope->attention : 1.0);
  if (FAULT != 8) x += FAULT == 15 ? 0 : rope->rotary_start;
  for (plane = 0; plane < rotary / 2; plane++) {
    int first = interleaved ? 2 * plane : plane;
    int second = interleaved ? 2 * plane + 1 : plane + apart;
    /* The faulty rotation of all planes begins again with the first frequency. */
    int turning = plane % (rope->rotary_dim / 2);
    int64_t position = place[axis_of(rope, turning)];
    real angle, cosine, sine, a = x[first], b = x[second];
    if (FAULT == 4) position += 1;
    if (FAULT == 10) position = (int64_t)rounded((double)position, 8, -126);
    if (FAULT == 13) position &= 0x7fff;
    angle = (real)position * theta[turning];
    if (FAULT == 5) angle = (real)rounded(angle, 8, -126);
    cosine = (real)cos(angle) * attention;
    sine = (real)sin(angle) * attention;
    if (FAULT == 3) sine = -sine;
    if (FAULT == 12) {
      real swapped = cosine;
      cosine = sine;
      sine = swapped;
    }
    x[first] = a * cosine - b * sine;
    x[second] = a * sine + b * cosine;
  }
}

/* ---- JSON, strictly as in RFC 8259, for a text that nobody vouches for. ---- */

typedef enum { NOTHING, TRUTH, NUMBER, TEXT, LIST, OBJECT } Kind;

typedef struct Value {
  Kind kind;
  double number;
  char *text;
  size_t count;
  char **keys;
  struct Value *items;
} Value;

typedef struct {
  const char *text;
  size_t at, size;
  int depth;
} Reader;

static void malformed(const Reader *r, const char *told) {
  refuse("malformed JSON at byte %lu: %s", (unsigned long)r->at, told);
}

static int peek(const Reader *r) { return r->at < r->size ? (unsigned char)r->text[r->at] : -1; }

static void blanks(Reader *r) {
  while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r') r->at++;
}

static void expect(Reader *r, char wanted) {
  char told[] = "expected ' '";
  told[10] = wanted;
  if (peek(r) != (unsigned char)wanted) malformed(r, told);
  r->at++;
}

static int digits(Reader *r) {
  size_t begun = r->at;
  while (peek(r) >= '0' && peek(r) <= '9') r->at++;
  return r->at > begun;
}

static double read_number(Reader *r) {
  size_t begun = r->at;
  double found;
  char *end;
  if (peek(r) == '-') r->at++;
  if (peek(r) == '0') {
    r->at++;
  } else if (!digits(r)) {
    malformed(r, "expected a value");
  }
  if (peek(r) == '.') {
    r->at++;
    if (!digits(r)) malformed(r, "expected a digit");
  }
  if (peek(r) == 'e' || peek(r) == 'E') {
    r->at++;
    if (peek(r) == '+' || peek(r) == '-') r->at++;
    if (!digits(r)) malformed(r, "expected a digit");
  }
  /* The text ends with a zero byte, and in the locale "C" a point is a point. */
  found = strtod(r->text + begun, &end);
  if (end != r->text + r->at) malformed(r, "expected a number");
  if (!isfinite(found)) malformed(r, "a number that no double holds");
  return found;
}

static unsigned read_hex(Reader *r) {
  unsigned found = 0;
  int place;
  for (place = 0; place < 4; place++, r->at++) {
    int c = peek(r);
    if (c >= '0' && c <= '9')
      found = 16 * found + (unsigned)(c - '0');
    else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
      found = 16 * found + (unsigned)((c | 32) - 'a') + 10;
    else
      malformed(r, "expected four hexadecimal digits");
  }
  return found;
}

/* Escapes beyond ASCII become '?': no key or value that is looked at has one. */
static char *read_text(Reader *r) {
  size_t length = 0, room = 16;
  char *found = make(room, 1);
  expect(r, '"');
  for (;;) {
    int c = peek(r);
    if (c < 0) malformed(r, "a string without an end");
    if (c < 32) malformed(r, "a control character in a string");
    r->at++;
    if (c == '"') break;
    if (c == '\\') {
      static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
      const char *name;
      c = peek(r);
      r->at++;
      if (c == 'u') {
        unsigned code = read_hex(r);
        c = code > 0 && code < 128 ? (int)code : '?';
      } else if (c > 0 && (name = strchr(names, c)) != NULL) {
        c = meant[name - names];
      } else {
        malformed(r, "an unknown escape");
      }
    }
    if (length + 1 >= room) {
      char *grown = realloc(found, room *= 2);
      if (!grown) refuse("out of memory");
      found = grown;
    }
    found[length++] = (char)c;
  }
  found[length] = 0;
  return found;
}

static Value read_value(Reader *r);

static void read_members(Reader *r, Value *into, char end) {
  size_t room = 0;
  if (++r->depth > MOST_DEPTH) malformed(r, "nested too deep");
  r->at++;
  blanks(r);
  if (peek(r) == end) {
    r->at++;
    r->depth--;
    return;
  }
  for (;;) {
    char *key = NULL;
    Value item;
    if (into->kind == OBJECT) {
      key = read_text(r);
      blanks(r);
      expect(r, ':');
      blanks(r);
    }
    item = read_value(r);
    if (into->count == room) {
      Value *items;
      room = room ? 2 * room : 8;
      items = realloc(into->items, room * sizeof *items);
      if (!items) refuse("out of memory");
      into->items = items;
      if (key) {
        char **keys = realloc(into->keys, room * sizeof *keys);
        if (!keys) refuse("out of memory");
        into->keys = keys;
      }
    }
    if (key) into->keys[into->count] = key;
    into->items[into->count++] = item;
    blanks(r);
    if (peek(r) != ',') break;
    r->at++;
    blanks(r);
  }
  expect(r, end);
  r->depth--;
}

static Value read_value(Reader *r) {
  Value found = {NOTHING, 0, NULL, 0, NULL, NULL};
  static const char *const words[] = {"null", "true", "false"};
  size_t word;
  int c = peek(r);
  for (word = 0; word < 3; word++) {
    size_t length = strlen(words[word]);
    if (r->size - r->at >= length && !memcmp(r->text + r->at, words[word], length)) {
      r->at += length;
      found.kind = word ? TRUTH : NOTHING;
      found.number = word == 1;
      return found;
    }
  }
  if (c == '{' || c == '[') {
    found.kind = c == '{' ? OBJECT : LIST;
    read_members(r, &found, c == '{' ? '}' : ']');
  } else if (c == '"') {
    found.kind = TEXT;
    found.text = read_text(r);
  } else {
    found.kind = NUMBER;
    found.number = read_number(r);
  }
  return found;
}

static Value read_json(const char *text, size_t size) {
  Reader r = {NULL, 0, 0, 0};
  Value found;
  r.text = text;
  r.size = size;
  blanks(&r);
  found = read_value(&r);
  blanks(&r);
  if (r.at < r.size) malformed(&r, "more after the end");
  return found;
}

/* ---- What the file must have; a name is the path from its top. ---- */

static int has(const Value *whole, const char *key) {
  size_t n;
  for (n = 0; n < whole->count; n++)
    if (whole->keys && !strcmp(whole->keys[n], key)) return 1;
  return 0;
}

static const Value *part(const Value *whole, const char *key, Kind kind) {
  static const char *const kinds[] = {"null", "true or false", "a number", "a string",
                                      "a list", "an object"};
  size_t n, found = SIZE_MAX;
  if (whole->kind != OBJECT) refuse("no object where \"%s\" was expected", key);
  for (n = 0; n < whole->count; n++) {
    if (strcmp(whole->keys[n], key)) continue;
    if (found != SIZE_MAX) refuse("\"%s\" twice", key);
    found = n;
  }
  if (found == SIZE_MAX) refuse("\"%s\" is missing", key);
  if (whole->items[found].kind != kind) refuse("\"%s\" is not %s", key, kinds[kind]);
  return &whole->items[found];
}

static double number(const Value *whole, const char *key) { return part(whole, key, NUMBER)->number; }

static int integer(const Value *whole, const char *key, int least, int most) {
  double found = number(whole, key);
  if (!(found >= least && found <= most) || found != floor(found))
    refuse("\"%s\" is %g, not an integer from %d to %d", key, found, least, most);
  return (int)found;
}

static double *numbers(const Value *list, const char *key, uint64_t count) {
  double *found = make(list->count, sizeof *found);
  size_t n;
  if (list->count != count)
    refuse("\"%s\" has %lu numbers, not %lu", key, (unsigned long)list->count, (unsigned long)count);
  for (n = 0; n < list->count; n++) {
    if (list->items[n].kind != NUMBER) refuse("\"%s\" has something that is no number", key);
    found[n] = list->items[n].number;
  }
  return found;
}

/* The values of an array of that shape, whose product is at most 2**53. */
static double *array(const Value *whole, const char *key, size_t axes, const size_t *shape) {
  const Value *found = part(whole, key, OBJECT);
  double *told = numbers(part(found, "shape", LIST), "shape", axes);
  uint64_t count = 1;
  size_t n;
  for (n = 0; n < axes; n++) {
    if (told[n] != (double)shape[n]) refuse("\"%s\" has another shape than it must", key);
    count *= shape[n];
  }
  free(told);
  return numbers(part(found, "values", LIST), key, count);
}

static void read_scaling(Rope *rope, const Value *whole) {
  size_t n;
  const char *kind;
  for (n = 0; n < whole->count; n++)
    if (!strcmp(whole->keys[n], "scaling") && whole->items[n].kind == NOTHING) return;
  whole = part(whole, "scaling", OBJECT);
  kind = part(whole, "kind", TEXT)->text;
  rope->scaled = !strcmp(kind, "linear") ? 1 : !strcmp(kind, "llama3") ? 2 : 3;
  if (rope->scaled < 3) rope->factor = number(whole, "factor");
  if (rope->scaled == 2) {
    rope->low = number(whole, "low_freq_factor");
    rope->high = number(whole, "high_freq_factor");
    rope->original = number(whole, "original_length");
  }
  if (rope->scaled == 3) printf("scaling %s: frequencies are the file's, not tested\n", kind);
}

/* Where positions have several coordinates: how many, and which turns which plane. */
static void read_axes(Rope *rope, const Value *whole) {
  size_t planes = (size_t)rope->rotary_dim / 2, plane;
  rope->axes = 1;
  if (!has(whole, "axes")) return;
  whole = part(whole, "axes", OBJECT);
  if (part(whole, "names", LIST)->count < 2 || part(whole, "names", LIST)->count > MOST_AXES)
    refuse("\"names\" has not from 2 to %d", MOST_AXES);
  rope->axes = (int)part(whole, "names", LIST)->count;
  rope->axis = numbers(part(whole, "planes", LIST), "planes", planes);
  rope->power = numbers(part(whole, "exponents", LIST), "exponents", planes);
  for (plane = 0; plane < planes; plane++) {
    double axis = rope->axis[plane];
    if (!(axis >= 0 && axis < rope->axes) || axis != floor(axis))
      refuse("\"planes\" has %g, no coordinate of %d", axis, rope->axes);
  }
}

static Rope read_rope(const Value *whole) {
  Rope rope = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL};
  const char *layout;
  whole = part(whole, "rope", OBJECT);
  rope.head_dim = integer(whole, "head_dim", 2, MOST_DIM);
  rope.rotary_dim = integer(whole, "rotary_dim", 0, rope.head_dim);
  rope.rotary_start = integer(whole, "rotary_start", 0, rope.head_dim - rope.rotary_dim);
  if (rope.head_dim % 2 || rope.rotary_dim % 2 || rope.rotary_start % 2)
    refuse("a dimension that is not even");
  layout = part(whole, "layout", TEXT)->text;
  rope.interleaved = !strcmp(layout, "interleaved");
  if (!rope.interleaved && strcmp(layout, "half")) refuse("unknown layout \"%s\"", layout);
  rope.base = number(whole, "base");
  if (!(rope.base > 1)) refuse("\"base\" is %g, not more than 1", rope.base);
  rope.attention = number(whole, "attention_factor");
  rope.given = numbers(part(whole, "frequencies", LIST), "frequencies", (size_t)rope.head_dim / 2);
  read_scaling(&rope, whole);
  read_axes(&rope, whole);
  return rope;
}

static char *read_file(const char *name, size_t *size) {
  size_t room = 1 << 16, got;
  char *text = make(room, 1);
  FILE *file = fopen(name, "rb");
  if (!file) refuse("%s: %s", name, strerror(errno));
  *size = 0;
  while ((got = fread(text + *size, 1, room - *size - 1, file)) > 0) {
    *size += got;
    if (room - *size < 2) {
      char *grown = realloc(text, room *= 2);
      if (!grown) refuse("out of memory");
      text = grown;
    }
  }
  if (ferror(file)) refuse("%s: cannot be read", name);
  fclose(file);
  text[*size] = 0;
  return text;
}

/* ---- The comparison. ---- */

static double stored(double x, const char *type) {
  if (!strcmp(type, "bfloat16")) return rounded(x, 8, -126);
  if (!strcmp(type, "float16")) return rounded(x, 11, -14);
  return x;
}

int main(int count, char **words) {
  const char *type = sizeof(real) == sizeof(double) ? "float64" : "float32";
  size_t size, head, place, plane, heads, places, dim, axes, n, failed = 0, shape[3];
  int64_t where[MOST_AXES];
  double *positions, *inputs, *expected, *allowed, error, worst = 0;
  const Value *vectors;
  real *theta, *x;
  char *text;
  Value whole;
  Rope rope;

  if (count < 2 || count > 3) refuse("usage: golden_check FILE [TYPE]");
  if (count == 3) type = words[2];
  if (sizeof(real) < sizeof(double) && !strcmp(type, "float64"))
    refuse("float64 needs a function that works in it: compile with -DREAL=double");
  text = read_file(words[1], &size);
  whole = read_json(text, size);
  if (strcmp(part(&whole, "format", TEXT)->text, "ropeproof-golden") || number(&whole, "schema") != 1)
    refuse("no golden vectors of schema 1");
  rope = read_rope(&whole);
  dim = (size_t)rope.head_dim;
  heads = (size_t)integer(&whole, "heads", 1, MOST_DIM);
  axes = (size_t)rope.axes;
  places = part(part(&whole, "positions", OBJECT), "values", LIST)->count / axes;
  if (places < 1 || places > (size_t)1 << 21) refuse("%lu positions", (unsigned long)places);
  shape[0] = places, shape[1] = axes;
  positions = array(&whole, "positions", rope.axis ? 2 : 1, shape);
  for (place = 0; place < places * axes; place++)
    if (!(positions[place] >= 0 && positions[place] < 9007199254740992.0) ||
        positions[place] != floor(positions[place]))
      refuse("%g is no position", positions[place]);
  shape[0] = heads, shape[1] = places, shape[2] = dim;
  inputs = array(&whole, "inputs", 3, shape);
  vectors = part(part(&whole, "types", OBJECT), type, OBJECT);
  expected = array(vectors, "rotated", 3, shape);
  error = number(part(vectors, "rotated", OBJECT), "error");
  shape[0] = places, shape[1] = dim / 2;
  allowed = array(vectors, "allowed", 2, shape);
  /* No coordinate is off by more than twice the factor: a file that allows more tests nothing. */
  if (!(error >= 0 && error <= fabs(rope.attention))) refuse("an \"error\" of %g", error);
  for (n = 0; n < places * (dim / 2); n++)
    if (!(allowed[n] >= 0 && allowed[n] <= 3 * fabs(rope.attention)))
      refuse("%g is \"allowed\", which tests nothing", allowed[n]);

  theta = make(dim, sizeof *theta);
  x = make(dim, sizeof *x);
  frequencies(&rope, theta);
  for (head = 0; head < heads; head++) {
    for (place = 0; place < places; place++) {
      const size_t row = (head * places + place) * dim;
      size_t rotated = (size_t)rope.rotary_dim;
      for (n = 0; n < dim; n++) x[n] = (real)inputs[row + n];
      for (n = 0; n < axes; n++) where[n] = (int64_t)positions[place * axes + n];
      rotate(&rope, theta, where, x);
      for (plane = 0; plane < dim / 2; plane++) {
        const size_t start = (size_t)rope.rotary_start, turning = rotated / 2;
        size_t pair[2], side;
        double bound;
        /* What does not rotate stands before and behind what does, two neighbours a plane. */
        pair[0] = plane >= turning && 2 * (plane - turning) < start ? 2 * (plane - turning)
                  : plane >= turning                                ? 2 * plane
                  : rope.interleaved                                ? start + 2 * plane
                                                                    : start + plane;
        pair[1] = plane < turning && !rope.interleaved ? pair[0] + turning : pair[0] + 1;
        bound = fabs(inputs[row + pair[0]]) + fabs(inputs[row + pair[1]]);
        /* What the implementation may be off by, and what the file is. */
        bound = bound * allowed[place * (dim / 2) + plane] + error;
        for (side = 0; side < 2; side++) {
          double got = stored((double)x[pair[side]], type), wanted = expected[row + pair[side]];
          double apart = fabs(got - wanted);
          if (bound > 0 && apart / bound > worst) worst = apart / bound;
          if (apart <= bound) continue; /* false also where `got` is no number */
          if (failed++) continue;
          printf("first at position ");
          for (n = 0; n < axes; n++) printf("%s%.0f", n ? ":" : "", positions[place * axes + n]);
          printf(", head %lu, plane %lu, coordinate %lu: "
                 "%.9g where %.9g was expected, allowed %.2g apart\n",
                 (unsigned long)head, (unsigned long)plane, (unsigned long)pair[side], got, wanted,
                 bound);
        }
      }
    }
  }
  if (!failed) printf("conforms in %s: off by at most %.3g of what is allowed\n", type, worst);
  if (failed)
    printf("does not conform in %s: %lu of %lu coordinates are off by more than allowed\n", type,
           (unsigned long)failed, (unsigned long)(heads * places * dim));
  return failed ? 1 : 0;
}
