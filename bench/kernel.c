/* The replay kernel in hand-written C, for the benchmark only: the same work on the same arrays (cc -O2, no fast-math).
   records.h is written by replay.py: the same records as C structs. FIDE events and office orders, which the made-up
   federation has none of, are left out. Everything else is here, so that the results can be compared to the last row. */

#include <math.h>
#include <stdint.h>
#include <stdbool.h>
#include "records.h"

enum { MIXED, ALL_WINS, ALL_LOSSES };
enum { FIDE = 6, CFC = 7, BLENDED = 11, AGE = 9, UNKNOWN_AGE = 10, FOREIGN = 8 };
#define DUST 1e-9
enum { MATCH = 2, SPECIAL = 1, LIMITED = 2, FLOORED = 4, FLOOR_REQUEST = 8 };

typedef struct { double rating; int64_t games; int8_t source; bool rated; int history; } Start;
typedef struct { double effective, strength, intermediate, result, score; } Step;

static inline double larger(double a, double b) { return b > a ? b : a; }
static inline double smaller(double a, double b) { return b < a ? b : a; }

/* special formula */

static inline double surplus_at(const Rules *r, double rating, double start, double effective, double points,
                                const double *facing, int64_t m) {
    double span = r->special_span, total;
    double d = smaller(larger(rating - start, -span), span);
    total = effective * (0.5 + d / (2.0 * span));
    for (int64_t i = 0; i < m; i++) {
        d = smaller(larger(rating - facing[i], -span), span);
        total += 0.5 + d / (2.0 * span);
    }
    return total - points;
}

static inline double knot_below(double span, double rating, double start, const double *facing, int64_t m) {
    double best = -INFINITY;
    for (int64_t i = -1; i < m; i++) {
        double middle = i < 0 ? start : facing[i], low = middle - span, high = middle + span;
        if (best < low && low < rating) best = low;
        if (best < high && high < rating) best = high;
    }
    return best;
}

static inline double knot_above(double span, double rating, double start, const double *facing, int64_t m) {
    double best = INFINITY;
    for (int64_t i = -1; i < m; i++) {
        double middle = i < 0 ? start : facing[i], low = middle - span, high = middle + span;
        if (rating < low && low < best) best = low;
        if (rating < high && high < best) best = high;
    }
    return best;
}

static double straight_root(double span, double place, double start, double effective, double points, const double *facing, int64_t m) {
    double total = 2.0 * span * points, weight = 0.0;
    for (int64_t i = -1; i < m; i++) {
        double middle = i < 0 ? start : facing[i], games = i < 0 ? effective : 1.0;
        if (place >= middle + span) total -= 2.0 * span * games;
        else if (place > middle - span) { total += games * (middle - span); weight += games; }
    }
    return total / weight;
}

static double special_rating(const Rules *r, double prior, double effective, int history, double score,
                             const double *facing, int64_t m) {
    double span = r->special_span, epsilon = r->special_epsilon, start = prior, points = score + effective / 2.0;
    if (history == ALL_WINS) { start = prior - span; points = score + effective; }
    if (history == ALL_LOSSES) { start = prior + span; points = score; }
    double rating = start;
    if (r->special_pooled_start) {
        double pool = effective * start + span * (2.0 * score - m);
        for (int64_t i = 0; i < m; i++) pool += facing[i];
        rating = pool / (effective + m);
    }
    double surplus = surplus_at(r, rating, start, effective, points, facing, m);
    while (fabs(surplus) > epsilon) {
        double knot = surplus > 0.0 ? knot_below(span, rating, start, facing, m) : knot_above(span, rating, start, facing, m);
        double at_knot = surplus_at(r, knot, start, effective, points, facing, m);
        if (fabs(surplus - at_knot) >= epsilon) {
            double step = rating - surplus * (rating - knot) / (surplus - at_knot);
            if ((surplus > 0.0 && step > knot) || (surplus < 0.0 && step < knot)) {
                rating = straight_root(span, (rating + knot) / 2.0, start, effective, points, facing, m);
                break;
            }
        }
        rating = knot;
        surplus = at_knot;
    }
    bool near = fabs(rating - start) <= span + epsilon;
    for (int64_t i = 0; i < m && !near; i++) near = fabs(rating - facing[i]) <= span + epsilon;
    if (!near) {
        double low = knot_below(span, rating, start, facing, m), high = knot_above(span, rating, start, facing, m);
        rating = smaller(larger(prior, low), high);
    }
    return smaller(rating, r->special_cap);
}

/* standard formula */

static bool bonus_eligible(const Rules *r, const int32_t *opponent, int64_t m) {
    if (m < r->bonus_games) return false;
    int64_t limit = m == r->bonus_games ? r->bonus_meetings_of_three : r->bonus_meetings;
    for (int64_t i = 0; i < m; i++) {
        int64_t meetings = 0;
        for (int64_t j = 0; j < m; j++) meetings += opponent[j] == opponent[i];
        if (meetings > limit) return false;
    }
    return true;
}

static double standard_rating(const Rules *r, int system, bool dual, bool bonus_allowed, int64_t weight, double prior,
                              double effective, double score, const double *facing, const int32_t *opponent, int64_t m) {
    double expected = 0.0, numerator = r->k_numerator;
    for (int64_t i = 0; i < m; i++) expected += 1.0 / (1.0 + exp((facing[i] - prior) * r->expectancy_rate));
    if (dual && prior > r->dual_k_above && r->dual_k_pools[system])
        numerator = prior >= r->dual_k_full ? r->dual_k_top : r->k_numerator * (r->dual_k_base - r->dual_k_slope * prior);
    double gain = numerator / (weight * effective + m) * (score - expected), bonus = 0.0;
    if (bonus_allowed) {
        bonus = larger(0.0, gain - r->bonus_multiplier * sqrt(larger((double)m, r->bonus_counted_games)));
        if (bonus > 0.0 && !bonus_eligible(r, opponent, m)) bonus = 0.0;
    }
    return prior + gain + bonus;
}

/* initial ratings */

static double piecewise(const double *bounds, const int64_t *inclusive, const double *add, const double *times, double x) {
    for (int i = 0; i < 4; i++)
        if (x < bounds[i] || (inclusive[i] == 1 && x == bounds[i])) return add[i] + times[i] * x;
    return NAN;
}

static double converted(const Rules *r, int source, double x) {
    if (source == FIDE) return piecewise(r->fide_bounds, r->fide_inclusive, r->fide_add, r->fide_times, x);
    if (source == CFC) return piecewise(r->cfc_bounds, r->cfc_inclusive, r->cfc_add, r->cfc_times, x);
    return x;
}

static double age_rating(const Rules *r, const Player *p, int64_t day) {
    if (p->birth_day == 0) return p->adult ? r->age_adult_rating : r->age_unknown_rating;
    double age = (day - p->birth_day) / r->days_per_year;
    if (age < r->age_plausible_from) return p->adult || r->age_implausible_is_adult ? r->age_adult_rating : r->age_unknown_rating;
    return age > r->age_adult_from ? r->age_adult_rating : r->age_base + r->age_per_year * age;
}

static bool usable(int system, int source, const State *states) {
    return source != system && !isnan(states[source].rating) && states[source].games > 0;
}

static void blended(const Rules *r, int system, const State *states, const Player *p, int64_t day, Start *out) {
    double total = 0.0, weights = 0.0;
    for (int source = 0; source < FIDE; source++) {
        if (!usable(system, source, states)) continue;
        double x = states[source].rating;
        double strength = smaller(r->blend_strength_cap, (x - age_rating(r, p, states[source].day)) / r->blend_strength_scale);
        double stale = exp(r->blend_decay * (strength - r->blend_strength_cap) * (day - states[source].day) / r->days_per_year);
        int64_t factor = r->blend_factors[system * 6 + source];
        double weight = (states[source].games < factor ? states[source].games : factor) * stale;
        total += weight * x;
        weights += weight;
    }
    if (weights == 0.0) return;
    out->rating = floor(total / weights + 0.5 + DUST);
    out->games = (int64_t)ceil(smaller(r->blend_games_cap, weights));
    out->source = BLENDED;
}

static void by_priority(const Rules *r, int system, const State *states, Start *out) {
    for (int i = 0; i < 8; i++) {
        const int64_t *step = r->priority + (system * 8 + i) * 5;
        int source = (int)step[0];
        if (source == -1) return;
        if (source >= FIDE || !usable(system, source, states)) continue;
        if (states[source].games < step[1] || states[source].games > step[2]) continue;
        int64_t credit = step[3];
        if (step[4] == 1 && states[source].games < credit) credit = states[source].games;
        out->rating = converted(r, source, states[source].rating);
        out->games = credit;
        out->source = (int8_t)source;
        return;
    }
}

static void initial_rating(const Rules *r, int system, const State *states, const Player *p, int64_t day, Start *out) {
    out->rating = NAN;
    if (r->blended) blended(r, system, states, p, day, out);
    else by_priority(r, system, states, out);
    if (!isnan(out->rating)) return;
    out->games = 0;
    out->rating = isnan(p->foreign_rating) ? age_rating(r, p, day) : p->foreign_rating;
    out->source = !isnan(p->foreign_rating) ? FOREIGN : p->birth_day == 0 ? UNKNOWN_AGE : AGE;
}

/* the five steps */

static bool uses_special(const Rules *r, const Start *s) { return s->games <= r->special_games || s->history != MIXED; }

static void one_pass(const Rules *r, int system, bool dual, bool bonus_allowed, int64_t weight, int64_t n, const Start *starts,
                     Step *steps, const int64_t *first, const int32_t *opponent, const double *facing) {
    for (int64_t i = 0; i < n; i++) {
        int64_t m = first[i + 1] - first[i], at = first[i] - first[0];
        double rating;
        if (uses_special(r, &starts[i]))
            rating = special_rating(r, starts[i].rating, steps[i].effective, starts[i].history, steps[i].score, facing + at, m);
        else
            rating = standard_rating(r, system, dual, bonus_allowed, weight, starts[i].rating, steps[i].effective,
                                     steps[i].score, facing + at, opponent + at, m);
        steps[i].result = larger(rating, r->absolute_floor);
    }
}

static void five_steps(const Rules *r, int system, bool dual, bool bonus_allowed, int64_t weight, int64_t n, const Start *starts,
                       Step *steps, const int64_t *first, const int32_t *opponent, const int8_t *points, double *facing) {
    int64_t games = first[n] - first[0];
    for (int64_t i = 0; i < n; i++) {
        double reliable = r->effective_cap, x = starts[i].rating;
        if (x <= r->effective_limit) {
            double d = r->effective_centre - x;
            reliable = r->effective_cap / sqrt(r->effective_constant + r->effective_slope * d * d);
        }
        steps[i].effective = smaller((double)starts[i].games, reliable);
        int total = 0;
        for (int64_t g = first[i] - first[0]; g < first[i + 1] - first[0]; g++) total += points[g];
        steps[i].score = total / 2.0;
        steps[i].strength = x;
    }
    for (int64_t g = 0; g < games; g++) facing[g] = starts[opponent[g]].rating;
    for (int64_t i = 0; i < n; i++)
        if (!starts[i].rated && starts[i].games == 0) {
            double x = special_rating(r, starts[i].rating, 1.0, MIXED, steps[i].score, facing + (first[i] - first[0]),
                                      first[i + 1] - first[i]);
            steps[i].strength = larger(x, r->absolute_floor);
        }
    for (int64_t g = 0; g < games; g++) facing[g] = steps[opponent[g]].strength;
    one_pass(r, system, dual, bonus_allowed, weight, n, starts, steps, first, opponent, facing);
    for (int64_t i = 0; i < n; i++) steps[i].intermediate = steps[i].result;
    for (int64_t g = 0; g < games; g++) facing[g] = steps[opponent[g]].intermediate;
    one_pass(r, system, dual, bonus_allowed, weight, n, starts, steps, first, opponent, facing);
}

/* floors, limits and the state to carry on */

static double earned_floor(const Rules *r, double peak) {
    if (isnan(peak)) return 0.0;
    double level = floor((floor(peak + 0.5 + DUST) - r->earned_floor_drop) / r->earned_floor_step) * r->earned_floor_step;
    return level < r->earned_floor_lowest ? 0.0 : smaller(level, r->earned_floor_highest);
}

static double stored(const Rules *r, double prior, double post) {
    if (!r->stored_as_integers) return post;
    if (post > prior + r->storage_tolerance) return ceil(post - r->storage_tolerance);
    if (post < prior - r->storage_tolerance) return floor(post + r->storage_tolerance);
    return floor(post + 0.5 + DUST);
}

static double clamped(double change, double limit, double net) {
    return smaller(larger(change, smaller(0.0, -limit - net)), larger(0.0, limit - net));
}

static double within_match_limits(const Rules *r, int32_t end, int32_t since, double prior, double result, const State *state,
                                  const Match *log) {
    double half_year = 0.0, three_years = 0.0, change = result - prior;
    int32_t forgotten = 0;
    for (int32_t at = state->last_match; at != -1; at = log[at].previous) {
        if (log[at].day >= forgotten && log[at].day <= end) {
            if (log[at].day >= end - r->match_days) half_year += log[at].change;
            if (log[at].day >= since) three_years += log[at].change;
        }
        if (log[at].since > forgotten) forgotten = log[at].since;
    }
    change = smaller(larger(change, -r->match_limit), r->match_limit);
    change = clamped(change, r->match_limit_180_days, half_year);
    return prior + clamped(change, r->match_limit_3_years, three_years);
}

static void settle(const Rules *r, const Section *section, int system, int64_t weight, const Start *start, double result,
                   double limited, int wins, int draws, int64_t m, State *state, Row *row) {
    bool established = start->rated && start->games > r->established_games;
    int32_t events = state->three_game_events + (m >= 3);
    double peak = !established ? NAN : isnan(state->peak) ? start->rating : larger(start->rating, state->peak);
    double personal = r->absolute_floor;
    if (r->personal_floor_pools[system]) {
        double earned = r->personal_floor_win * ((state->wins > 0 ? state->wins : 0) + wins)
                      + r->personal_floor_draw * ((state->draws > 0 ? state->draws : 0) + draws) + r->personal_floor_event * events;
        personal = smaller(r->absolute_floor + earned, r->personal_floor_cap);
    }
    double least = larger(personal, earned_floor(r, peak));
    bool life_master = state->life_master || state->games_above_2200 >= r->life_master_games;
    if (life_master && r->life_master_pools[system]) least = larger(least, r->life_master_floor);
    if (!isnan(state->prize_floor)) least = larger(least, state->prize_floor);
    if (!isnan(state->lowered_floor)) least = larger(personal, smaller(least, state->lowered_floor));
    double post = larger(limited, least);
    if (!isnan(state->ceiling)) post = smaller(post, state->ceiling);
    row->prior = start->rating;
    row->prior_games = (int32_t)start->games;
    row->post = post = stored(r, start->rating, post);
    row->post_games = (int32_t)(start->games + (m + weight - 1) / weight);
    row->source = start->source;
    row->pool = (int8_t)system;
    row->flags = (uint8_t)((uses_special(r, start) ? SPECIAL : 0) | (limited != result ? LIMITED : 0)
               | (limited < least ? FLOORED | (section->kind == MATCH && least > personal ? FLOOR_REQUEST : 0) : 0));
    if (state->wins >= 0 && state->draws >= 0 && state->losses >= 0) {
        state->wins += wins;
        state->draws += draws;
        state->losses += (int32_t)m - wins - draws;
        state->assigned_games = row->post_games - state->wins - state->draws - state->losses;
    } else {
        state->wins = state->draws = state->losses = -1;
    }
    state->rating = post;
    state->games = row->post_games;
    state->day = section->end_day;
    state->three_game_events = events;
    state->peak = row->post_games <= r->established_games ? peak : isnan(peak) ? post : larger(peak, post);
    if (established && start->rating > r->life_master_above) state->games_above_2200 += (int32_t)m;
    state->life_master = state->life_master || state->games_above_2200 >= r->life_master_games;
    if (!isnan(state->lowered_floor) && !isnan(state->peak) && earned_floor(r, state->peak) > earned_floor(r, peak))
        state->lowered_floor = NAN;
}

static void step_one(const Rules *r, const Section *section, int system, int64_t n, const int32_t *player, const State *states,
                     const Player *players, Start *starts) {
    for (int64_t i = 0; i < n; i++) {
        const State *own = states + (int64_t)player[i] * 6, *state = own + system;
        starts[i].rated = !isnan(state->rating);
        starts[i].history = state->wins > 0 && state->draws == 0 && state->losses == 0   ? ALL_WINS
                          : state->losses > 0 && state->draws == 0 && state->wins == 0 ? ALL_LOSSES : MIXED;
        starts[i].rating = state->rating;
        starts[i].games = state->games;
        starts[i].source = -1;
        if (!starts[i].rated) initial_rating(r, system, own, players + player[i], section->end_day, &starts[i]);
    }
}

int64_t replay(int64_t sections, const Section *section, const int64_t *entry_start, const int32_t *entry_player,
               const int64_t *game_start, const int32_t *opponent, const int8_t *points, const Player *players,
               const Rules *rules, const int32_t *section_rules, const int32_t *match_since, const int64_t *row_start,
               State *states, Match *log, Row *rows, Start *starts, Start *second_starts, Step *steps, double *facing) {
    int64_t logged = 0;
    for (int64_t s = 0; s < sections; s++, section++) {
        const Rules *r = rules + section_rules[s];
        int64_t base = entry_start[s], n = entry_start[s + 1] - base;
        const int64_t *first = game_start + base;
        bool dual = section->second != -1, match = section->kind == MATCH;
        int64_t weight = section->weight == 2 ? r->half_k_weight : 1;
        step_one(r, section, section->first, n, entry_player + base, states, players, starts);
        if (dual) step_one(r, section, section->second, n, entry_player + base, states, players, second_starts);
        for (int slot = 0; slot <= dual; slot++) {
            int system = slot ? section->second : section->first;
            Start *own = slot ? second_starts : starts;
            five_steps(r, system, dual, !match, weight, n, own, steps, first, opponent + *first, points + *first, facing);
            for (int64_t i = 0; i < n; i++) {
                State *state = states + (int64_t)entry_player[base + i] * 6 + system;
                int wins = 0, draws = 0;
                for (int64_t g = first[i]; g < first[i + 1]; g++) { wins += points[g] >> 1; draws += points[g] & 1; }
                double limited = steps[i].result;
                if (match)
                    limited = within_match_limits(r, section->end_day, match_since[s], own[i].rating, limited, state, log);
                Row *row = rows + row_start[s] + slot * n + i;
                settle(r, section, system, weight, &own[i], steps[i].result, limited, wins, draws, first[i + 1] - first[i], state, row);
                if (match) {
                    log[logged] = (Match){.change = row->post - row->prior, .day = section->end_day, .since = match_since[s],
                                          .previous = state->last_match};
                    state->last_match = (int32_t)logged++;
                }
            }
        }
    }
    return logged;
}
