/* The words that the tables of operations are written in. Included by the files that have one, after calculator.h. */

/* What a row is of, and its name, its parameters and its help; with other names before the parameters. */
#define ROW(before, name, also, parameters, on, help)                                              \
    {                                                                                              \
        name, also, before name "(" parameters ")", LW_CALC_##on, help                             \
    }
#define FUNCTION(name, parameters, help) ROW("", name, NULL, parameters, FUNCTION, help)
#define ALSO_FUNCTION(name, also, parameters, help) ROW("", name, also, parameters, FUNCTION, help)
#define OF_LAYOUT(name, parameters, help) ROW("A.", name, NULL, parameters, OF_LAYOUT, help)
#define ALSO_OF_LAYOUT(name, also, parameters, help)                                               \
    ROW("A.", name, also, parameters, OF_LAYOUT, help)
#define OF_ACTION(name, parameters, help) ROW("P.", name, NULL, parameters, OF_ACTION, help)
#define OF_CUTE(name, parameters, help) ROW("A.", name, NULL, parameters, OF_CUTE, help)
#define ALSO_OF_CUTE(name, also, parameters, help) ROW("A.", name, also, parameters, OF_CUTE, help)
#define OF_TREE(name, parameters, help) ROW("A.", name, NULL, parameters, OF_TREE, help)
#define ALSO_OF_TREE(name, also, parameters, help) ROW("A.", name, also, parameters, OF_TREE, help)
#define OF_MMA(name, also, parameters, help) ROW("M.", name, also, parameters, OF_MMA, help)
#define OF_COPY(name, also, parameters, help) ROW("T.", name, also, parameters, OF_COPY, help)
#define OPERATOR LW_CALC_OPERATOR

/* Parameters. */
#define NOTHING LW_CALC_PARAM_END
#define ANY LW_CALC_PARAM_ANY
#define LAYOUT LW_CALC_PARAM_LAYOUT
#define MMA_ATOM LW_CALC_PARAM_MMA_ATOM
#define COPY_ATOM LW_CALC_PARAM_COPY_ATOM
#define MMA LW_CALC_PARAM_MMA
#define COPY LW_CALC_PARAM_COPY
#define NUMBER LW_CALC_PARAM_NUMBER
#define CUTE LW_CALC_PARAM_CUTE
#define TUPLE LW_CALC_PARAM_TUPLE
#define INTEGERS LW_CALC_PARAM_INTEGERS
#define COORDINATE LW_CALC_PARAM_COORDINATE
#define TILER LW_CALC_PARAM_TILER
#define REST LW_CALC_PARAM_REST
#define DIM LW_CALC_PARAM_DIM
#define POINT LW_CALC_PARAM_POINT
#define LITERAL LW_CALC_PARAM_LITERAL
#define WORD LW_CALC_PARAM_WORD

/* Traits. */
#define COORDS LW_CALC_COORDS
#define RULES LW_CALC_RULES
#define PAIRS LW_CALC_PAIRS

/* clang-format off */

/* Traits, kind of the result, and the function of this file that a row runs; with a function of the library; and with a
 * number, for one of the several things that it does. */
#define RUN(traits, kind, run) traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run, {0}
#define WITH(traits, kind, run, member, function) \
    traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run, {.member = function}
#define WHICH(traits, kind, run, number) traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run, {.which = number}
/* clang-format on */

#define COUNT_ROWS(rows) (sizeof(rows) / sizeof *(rows))
