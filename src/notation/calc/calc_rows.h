/* The words that the tables of operations are written in. Included by the files that have one, after calculator.h. */

/* What a row is of. */
#define FUNCTION LW_CALC_FUNCTION
#define OF_LAYOUT LW_CALC_OF_LAYOUT
#define OF_ACTION LW_CALC_OF_ACTION
#define OF_CUTE LW_CALC_OF_CUTE
#define OF_TREE LW_CALC_OF_TREE
#define OF_MMA LW_CALC_OF_MMA
#define OF_COPY LW_CALC_OF_COPY
#define OPERATOR LW_CALC_OPERATOR

/* Parameters. */
#define NOTHING LW_CALC_PARAM_END
#define ANY LW_CALC_PARAM_ANY
#define LAYOUT LW_CALC_PARAM_LAYOUT
#define ACTION LW_CALC_PARAM_ACTION
#define TRUTH LW_CALC_PARAM_TRUTH
#define ATOM LW_CALC_PARAM_ATOM
#define MMA LW_CALC_PARAM_MMA
#define COPY LW_CALC_PARAM_COPY
#define NUMBER LW_CALC_PARAM_NUMBER
#define CUTE LW_CALC_PARAM_CUTE
#define TUPLE LW_CALC_PARAM_TUPLE
#define COORDINATE LW_CALC_PARAM_COORDINATE
#define TILER LW_CALC_PARAM_TILER
#define REST LW_CALC_PARAM_REST
#define DIM LW_CALC_PARAM_DIM
#define DIM_IN LW_CALC_PARAM_DIM_IN
#define DIM_OUT LW_CALC_PARAM_DIM_OUT
#define DIMS LW_CALC_PARAM_DIMS
#define DIMS_IN LW_CALC_PARAM_DIMS_IN
#define DIMS_OUT LW_CALC_PARAM_DIMS_OUT
#define SIZES LW_CALC_PARAM_SIZES
#define OUTS LW_CALC_PARAM_OUTS
#define POINT LW_CALC_PARAM_POINT
#define COLUMNS LW_CALC_PARAM_COLUMNS
#define BASES LW_CALC_PARAM_BASES
#define WORD LW_CALC_PARAM_WORD

/* Traits. */
#define COORDS LW_CALC_COORDS
#define RULES LW_CALC_RULES
#define PAIRS LW_CALC_PAIRS

/* Traits, kind of the result, and the function of this file that a row runs; with a function of the library; and with a
 * number, for one of the several things that it does. */
#define RUN(traits, kind, run)                                                                     \
    traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run,                                             \
    {                                                                                              \
        0                                                                                          \
    }
#define WITH(traits, kind, run, member, function)                                                  \
    traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run,                                             \
    {                                                                                              \
        .member = function                                                                         \
    }
#define WHICH(traits, kind, run, number)                                                           \
    traits, LW_CALC_PAIR_PRODUCT, LW_CALC_##kind, run,                                             \
    {                                                                                              \
        .which = number                                                                            \
    }

#define COUNT_ROWS(rows) (sizeof(rows) / sizeof *(rows))
