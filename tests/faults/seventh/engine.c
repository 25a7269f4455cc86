/* A rotary embedding as engines in C have it, with one fault at a time, which writes its keys as safetensors.
   engine FILE FAULT TOKENS HEADS DIM FIRST BASE FACTOR: positions FIRST, FIRST + 1, ... of linear scaling FACTOR. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 9) return 2;
    const char *fault = argv[2];
    int T = atoi(argv[3]), H = atoi(argv[4]), D = atoi(argv[5]), first = atoi(argv[6]);
    float base = atof(argv[7]), factor = atof(argv[8]);
    int n = 4 * T * H * D;
    float *before = malloc(n), *after = malloc(n);
    int32_t *pos = malloc(4 * T);
    uint32_t state = 2463534242u;
    for (int i = 0; i < T * H * D; i++) {
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        before[i] = (float)(state >> 8) / (1 << 23) - 1.0f;
    }
    for (int t = 0; t < T; t++) pos[t] = first + t;
    memcpy(after, before, n);

#define IS(x) (strcmp(fault, x) == 0)
    int rotated = IS("half of the head") ? D / 2 : D;
    if (IS("default base")) base = 10000.0f;
    float scale = 1.0f / factor;
    if (IS("scaled twice")) scale *= scale;
    if (IS("unscaled")) scale = 1.0f;
    for (int t = 0; t < T; t++) for (int h = 0; h < H; h++) {
        float *v = after + ((size_t)t * H + h) * D, *u = before + ((size_t)t * H + h) * D;
        float p = pos[t];
        if (IS("sixteen bits")) p = (int16_t)pos[t];
        if (IS("position of the head")) p = pos[h];
        if (IS("position of the row")) p = pos[(t * H + h) % T];
        if (IS("counted from zero")) p = t;
        if (IS("page of 16")) p = first + t % 16;
        if (IS("last not turned") && t == T - 1) continue;
        float step = powf(base, -2.0f / rotated), theta = p * scale;
        _Float16 coarse = p * scale, coarse_step = step;
        for (int l = 0; l < rotated / 2; l++) {
            float angle = IS("half precision") ? (float)coarse : theta;
            if (IS("powers one late")) angle *= step;
            float c = cosf(angle), s = sinf(angle);
            if (IS("other way")) s = -s;
            if (IS("degrees")) { c = cosf(angle * 0.01745329f); s = sinf(angle * 0.01745329f); }
            int pairs = IS("pairs");
            int i = pairs ? 2 * l : l, j = pairs ? 2 * l + 1 : l + rotated / 2;
            float x = u[i], y = u[j];
            v[i] = x * c - y * s;
            if (IS("overwritten")) x = v[i];
            v[j] = x * s + y * c;
            theta *= step;
            coarse = coarse * coarse_step;
        }
    }
    FILE *f = fopen(argv[1], "wb");
    char head[1024];
    int m = snprintf(head, sizeof head,
        "{\"k_before\":{\"dtype\":\"F32\",\"shape\":[%d,%d,%d],\"data_offsets\":[0,%d]},"
        "\"k_after\":{\"dtype\":\"F32\",\"shape\":[%d,%d,%d],\"data_offsets\":[%d,%d]},"
        "\"positions\":{\"dtype\":\"I32\",\"shape\":[%d],\"data_offsets\":[%d,%d]},"
        "\"__metadata__\":{\"axes\":\"lhd\"}}",
        T, H, D, n, T, H, D, n, 2 * n, T, 2 * n, 2 * n + 4 * T);
    uint64_t size = m;
    fwrite(&size, 8, 1, f); fwrite(head, 1, m, f);
    fwrite(before, 1, n, f); fwrite(after, 1, n, f); fwrite(pos, 4, T, f);
    return fclose(f);
}
