/* The topics of `help`. */

#include "cli/report/help.h"

const struct lw_topic lw_topics[] = {
    {"explorer", "the explorer and its options", "", NULL, ""},
    {"sources", "what names a layout",
     "A SOURCE is recognized by its form, in this order:\n\n"
     "  -                              a source on standard input\n"
     "  x.json                         a file with a layout document\n"
     "  x.txt                          a file with a SOURCE as text\n"
     "  kernel.ttgir:#mma              one encoding of a Triton dump by its alias\n"
     "  kernel.ttgir:%12, %acc#1       the type of one of its values\n"
     "  kernel.ttgir:37                the operation on that line: the layout that it\n"
     "                                 reads, and as another layout of the access\n"
     "                                 the one that it writes (.ttgir, .ttir or\n"
     "                                 .mlir); -t sets the tensor\n"
     "  {...}                          a layout document\n"
     "  tensor<16x64xf16, #ttg...>     an MLIR type, also !ttg.memdesc<...>\n"
     "  #ttg.blocked<{...}>            an MLIR attribute; -t sets the tensor\n"
     "  - lane=1 -> (0, 1) ...         a linear layout as Triton prints it, up to\n"
     "                                 'where out dims are: [...]'\n"
     "  (4,8):(8,1)                    a layout of CuTe, Sw<1,0,1> o 0 o 8:1,\n"
     "                                 an expression: composition((4,8):(8,1), 4:2),\n"
     "                                 threads and values of a tile:\n"
     "                                 thread_value((32,4):(4,1), (8,16)), or an atom:\n"
     "                                 SM80_16x8x16_F32F16F16F32_TN.C (.A .B .C of an\n"
     "                                 MMA; .Src .Dst .Ref of a copy; see 'laneway\n"
     "                                 help atoms')\n"
     "  local(2, 1).spatial(8, 4)      a tilus expression\n"
     "  gl.BlockedLayout(...)          a layout of Gluon; -t sets the tensor\n"
     "  getDefaultBlockedEncoding([64, 64], 4)\n"
     "                                 the default of a shape and 4 warps; also\n"
     "                                 NVMMASharedLayout.get_default_for of Gluon\n"
     "  any other text                 a name of the gallery ('laneway list')\n\n"
     "What 'bases' prints, with or without --json, is a SOURCE too. Any other source that begins "
     "with a dash must follow '--'.",
     NULL, NULL},
    {"documents", "layout documents in .json files",
     "  {\"laneway\": 1, \"title\": \"...\", \"about\": \"one paragraph\",\n"
     "   \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\",\n"
     "   \"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16],\n"
     "              \"warpsPerCTA\": [1, 1], \"order\": [1, 0]},\n"
     "   \"view\": \"owners\", \"cell\": \"T{thread}:{register}\"}\n\n"
     "\"view\" is the view to open (see 'laneway help views'), \"cell\" its cell format (see "
     "'laneway help cells'). For shared memory \"alloc\" is the shape of the buffer that "
     "holds the tensor, as the last sizes of !ttg.memdesc; by default it equals \"shape\".\n\n"
     "A document of an access has up to three layouts of one tensor: \"store\" (registers A), "
     "\"shared\" (shared S) and \"load\" (registers B), each an object with \"encoding\" and "
     "\"params\" or \"source\", or a SOURCE as a string. Stores go from A to S, loads from S to B; "
     "without \"load\" the loads go to A; without \"shared\" it is a conversion from A to B. The "
     "layout of the document itself may be the first of them. \"with\" is an older name of "
     "\"shared\" for a layout in shared memory, of \"load\" for one in registers. --shared SOURCE "
     "and --load SOURCE set them without a document.\n\n"
     "  {\"laneway\": 1, \"shape\": [32, 32], \"element\": \"f32\",\n"
     "   \"store\": \"#ttg.blocked<{...}>\", \"shared\": \"#ttg.swizzled_shared<{...}>\",\n"
     "   \"load\": \"#ttg.blocked<{...}>\", \"view\": \"banks\"}\n\n"
     "\"triton\" is the version of Triton whose rules hold, \"3.7\" (see 'laneway help "
     "versions').\n\n"
     "Instead of \"encoding\" and \"params\" a document can have a \"source\": any SOURCE as a "
     "string. 'laneway help ENCODING' lists the parameters of an encoding. An unknown key is an "
     "error.",
     NULL, NULL},
    {"units", "the units of a swizzle",
     "A swizzle xors bits of an offset into others, and an offset counts elements or bytes:\n\n"
     "  CuTe    Sw<3,3,3> o 0 o (8,64):(64,1)             elements\n"
     "          Sw<3,4,3> o smem_ptr[16b](unset) o ...    bytes, of 16-bit elements\n"
     "  tilus   Swizzle(base=3, bits=3, shift=3)          elements\n"
     "  Triton  vec = 8, perPhase = 1, maxPhase = 8       elements, rows, phases\n"
     "          swizzlingByteWidth = 128                  bytes\n\n"
     "For 16-bit elements in rows of 64 these five are the same. From elements of 2^k bytes to "
     "bytes the base grows by k. 'show --view facts' prints the unit, and with --element f16, or "
     "a type, the swizzle in the other unit; 'code --all' writes both, and inBytes, inElements "
     "and recast of 'calc' convert.",
     NULL, NULL},
    {"encodings", "the layouts that have parameters", "'laneway help ENCODING' lists them.",
     &lw_choices_encodings, NULL},
    {"versions", "the versions of Triton that are known",
     "The same text can mean another layout in another version. --triton sets the version; "
     "otherwise it is that of the document (\"triton\": \"3.7\") or of the metadata beside a dump "
     "(\"triton_version\"), then that of LANEWAY_TRITON, and then the newest.",
     &lw_choices_versions, NULL},
    {"views", "what --view draws", "A view is a grid of cells.", &lw_choices_views, NULL},
    {"formats", "what --format writes",
     "Without --format the extension of -o FILE selects the format, and one that is unknown is "
     "refused; the default is text. 'laneway help data' has the members of json and the columns "
     "of csv.",
     &lw_choices_formats, NULL},
    {"data", "the members of --format json and the columns of csv",
     "--format json prints one object on one line, of version 1: a member may be added, but none "
     "changes its meaning. Those in brackets are there when they have a value.\n\n"
     "  version           1\n"
     "  view              the name of the view\n"
     "  [title, about]    of the document; [caption] of --caption\n"
     "  source            the notation of the layout; [store, shared, load]\n"
     "                    those of an access, in views of one\n"
     "  shape, [element]  of the tensor\n"
     "  target            the hardware\n"
     "  rows, cols        of what is printed\n"
     "  row_labels, col_labels\n"
     "  cells             rows of texts\n"
     "  [fields]          names of numbers: register, lane, dim0, bank, ...\n"
     "  [values]          for each cell a list of owners, each a list with one\n"
     "                    number for each field, or null\n"
     "  [color_by]        the field that colours show\n"
     "  [colors]          {fill, letters, means}, of --palette on light paper\n"
     "  [color]           for each cell its number in colors, or null\n\n"
     "--format csv prints the grid. With --tidy it has one row for each owner of an element, or "
     "for each cell where cells have no element: row_label, col_label, text, then a column for "
     "each field; a field without a number is empty.",
     NULL, NULL},
    {"palettes", "the colours of --palette", "For figures: html, svg, latex and json.",
     &lw_choices_palettes, NULL},
    {"styles", "the table styles of text", "For --style.", &lw_choices_styles, NULL},
    {"cells", "fields of --cell FORMAT",
     "A format is text with fields in braces; {{ is a brace. The fields are the names of all "
     "dims, and\n\n"
     "  in registers      {thread} {lane} {warp} {register} {local} {block}\n"
     "  in shared memory  {offset} {byte} {bank} {line} {phase}\n"
     "  of the element    {row} {column} {i0} {i1} ... {index} {number}\n"
     "  of both           {vector} {hardware}\n\n"
     "A line is one word of every bank (128 bytes, with 64 banks 256), a phase one period of a "
     "swizzle, a vector one access, hardware the whole hardware index; index counts elements row "
     "after row, number column after column, as CuTe does. When several owners of an element "
     "differ in one field, and no letter is before that field, its "
     "values are printed as a list, [0, 4]; else the owners are separated by bars.",
     NULL, NULL},
    {"colors", "fields of --color-by FIELD",
     "Cells with equal values have the same colour. NO_COLOR in the environment turns colours "
     "off, --color always turns them on.",
     &lw_choices_color_keys, NULL},
    {"scripts", "commands and actions of --script FILE",
     "A script runs the explorer without a terminal. Each line is a command or an action; "
     "empty lines and lines that begin with # are ignored. The screen has 80 columns and 24 "
     "rows until a resize. At its end the explorer exits.\n\n"
     "  resize 100x30\n"
     "  next-pane\n"
     "  key Down Enter\n"
     "  type 4\n"
     "  key Enter\n"
     "  save-screen -",
     &lw_choices_script, NULL},
    {"lessons", "how to write a lesson for 'learn'",
     "A lesson is one JSON file, and a folder of such files is a course, in the order "
     "of their names. 'laneway learn FOLDER' lists its lessons and opens them, "
     "'laneway learn FILE.json' opens one. 'laneway learn --check FOLDER' runs all "
     "solutions and checks what the texts claim; 'laneway check FILE.json' checks its "
     "syntax. 'laneway learn FILE.json -o handout.html' writes the tasks without "
     "solutions, with --answers the answers.\n"
     "\n"
     "  {\"laneway\": 1, \"lesson\": \"Its title\", \"about\": \"What it is about.\",\n"
     "   \"steps\": [\n"
     "     {\"text\": [\"A paragraph.\", \"Another one.\"],\n"
     "      \"open\": \"start/16x16\", \"view\": \"owners\", \"zoom\": \"full\",\n"
     "      \"do\": \"Find the element that lane 9 holds in register 1.\",\n"
     "      \"goal\": {\"cursor\": {\"lane\": 9, \"register\": 1}},\n"
     "      \"hints\": [\"In which row does lane 8 begin?\",\n"
     "                \"The search finds a lane.\", \"Type /l9 r1 and press Enter.\"],\n"
     "      \"solution\": [\"find l9 r1\"],\n"
     "      \"done\": \"It is {element of lane=9 register=1}.\"},\n"
     "     {\"kind\": \"predict\",\n"
     "      \"text\": \"One warp holds {elements} elements.\",\n"
     "      \"open\": \"blocked/16x64\", \"view\": \"owners\",\n"
     "      \"do\": \"How many elements does each lane hold?\",\n"
     "      \"answer\": \"{elements / lanes / warps}\",\n"
     "      \"wrong\": {\"1024\": \"That is the whole tensor.\"},\n"
     "      \"hints\": [\"Divide by the threads.\"], \"done\": \"{registers} each.\"},\n"
     "     {\"text\": \"Each lane uses {registers} registers.\",\n"
     "      \"before\": {\"registers\": 32}, \"do\": \"Let it use 64.\",\n"
     "      \"change\": [\"shape\"], \"goal\": {\"registers\": 64, \"owners\": 1},\n"
     "      \"hints\": [\"Double the tensor.\", \"Type :set shape=[32, 64].\"],\n"
     "      \"solution\": [\"set shape=[32, 64]\"], \"also\": [[\"set shape=[16, "
     "128]\"]],\n"
     "      \"refuse\": [[\"set shape=[32, 32]\"]],\n"
     "      \"done\": \"{registers} now, {was registers} before.\"},\n"
     "     {\"kind\": \"see\", \"text\": \"Key {key matrix} draws the bits.\",\n"
     "      \"do\": \"Press {key matrix}.\", \"use\": [\"matrix\"]}],\n"
     "   \"learnt\": [\"What is known now.\"], \"read\": [\"Where to read on\"]}\n"
     "\n"
     "Keys of the lesson; \"about\", \"numbers\", \"read\" and \"laneway\" are optional:\n"
     "  lesson    its title\n"
     "  about     its subject\n"
     "  numbers   numbers in all its texts, with their sums, as \"numbers\" of a step\n"
     "  steps     1 to 64 steps\n"
     "  learnt    a summary, a string or a list of paragraphs\n"
     "  read      further reading, a list\n"
     "\n"
     "The kind of a step is one of:\n"
     "  do        something to change or to find: done when the goal holds; needs\n"
     "            goal, hints and solution. This is the kind of a step without one\n"
     "  mend      the same with a bad layout: a number of the goal must get better\n"
     "  predict   a question before the picture is shown; needs answer and hints\n"
     "  see       keys or views to use: done when each was used; needs use\n"
     "\n"
     "--check runs the solution of each step, with each of its cases: the goal must "
     "not hold before it and must hold after it, and no other parameter may change. "
     "Names of views, colours, parameters and actions must exist, markers must have "
     "values, and \"before\" and \"after\" must hold. So write every number that a "
     "text claims as a marker, or add it to one of these two.\n"
     "\n"
     "With \"numbers\", --check also computes its sums and refuses other numbers in digits: "
     "'laneway help numbers'.\n"
     "\n"
     "A marker is filled in when the step begins, and in \"done\" when the goal is "
     "reached: {load-wavefronts} and the other goals that are numbers, {was "
     "load-wavefronts} for its value when the step began, {bank of 3,5} for a field "
     "of an element, {32 / load-each} for a sum of these with + - * / % ^ log2() and "
     "brackets, {element of lane=9 register=1} for the element at a hardware index, "
     "{key play} for the key of an action or a view. {{ is a brace.\n"
     "\n"
     "'laneway learn --progress' prints the progress of a learner as one line of "
     "JSON; 'laneway learn --progress FILE...' makes a table of such lines.\n\nKeys of a step; "
     "text and do are required:",
     &lw_choices_step_keys, NULL},
    {"numbers", "which numbers in a lesson 'learn --check' proves",
     "A lesson, or a step, may have \"numbers\": {\"128\": \"32 * 4\"}, or {}. Each sum must have "
     "a "
     "value and be its number when the step begins; sums of the lesson must in every step. They "
     "are written as in markers ('laneway help lessons').\n"
     "\n"
     "Where there is \"numbers\", each number that is written in digits must be one of it, or an "
     "exact number in \"before\", \"goal\" or \"after\" of the step. \"numbers\" of a step is "
     "about "
     "its text, do, aim, answer, hints, wrong and done; \"numbers\" of the lesson about these in "
     "all steps, and about lesson, about and learnt, where only its own sums count. Choices, the "
     "names in wrong, and read are not looked at. Digits in a name (f16), in a marker, and in a "
     "command of \"solution\" or \"also\" that a text quotes (:set vec=8, /3,7) are not taken as "
     "numbers; 32x16 is two of them. A number with a point is refused.\n"
     "\n"
     "A sum without a goal or a field in it, as 32 * 4, proves only its arithmetic, and no check "
     "knows whether the sentence around a number is true. Without \"numbers\" the numbers in "
     "digits "
     "are not looked at: most built-in lessons have some that nothing proves.",
     NULL, NULL},
    {"goals", "goals of the steps of a lesson",
     "A number is written as 4, \"<= 4\", \">= 4\", or as the name of another number, such as "
     "\"load-ideal\"; a choice as its name, or \"<= lanes\" for it and those before it.",
     &lw_choices_goals, NULL},
    {"targets", "hardware for --target",
     "sm70 to sm121 and gfx10 to gfx12 have 32 lanes per warp, gfx9 has 64. A layout with another "
     "number of lanes is refused; the threads of a tilus layout are divided into warps of that "
     "many. sm_90a and cuda:90 are other spellings of sm90, hip:gfx942 of gfx942. Names of chips "
     "are accepted too: t4, a100, l40s, h100, h200, b200, rtx4090, mi250x, mi300x, mi355x and "
     "others. Where sources disagree there is a target for each.\n\n"
     "--target FILE.json reads other hardware from a JSON document:\n\n"
     "{\"target\": \"toy\", \"title\": \"a small machine\", \"evidence\": \"made up\",\n "
     "\"lanes\": 8, \"banks\": 8, \"load\": {\"4\": 2, \"8\": 2},\n "
     "\"store\": {\"4\": [\"0-3\", \"4-7\"]}}\n\n"
     "\"load\" and \"store\" have, for 1, 2, 4, 8 and 16 bytes a lane, how many lanes are "
     "served together, in their order; or the groups of lanes themselves; or {\"lanes\": one of "
     "these, \"banks\": 32} where fewer banks serve them. Accesses of a width that is left out are "
     "refused. Optional are \"bank_bytes\" (1, 2 or 4; 4), \"merging\" (a load of 8 or 16 bytes "
     "whose neighbouring lanes share addresses serves two groups at once), \"ldmatrix\", "
     "\"stmatrix\", \"model\" (the name of the banks), \"disagreement\" (what other sources state, "
     "printed with plans) and \"sources\" (texts, by the member that each is of). Numbers are "
     "powers "
     "of two; lanes and banks go to 64. The built-in targets are such documents, in "
     "layouts/targets/ of the source.",
     &lw_choices_targets, NULL},
    {"batch", "many requests in one run",
     "'bases --batch' and 'apply --batch' answer each line of standard input with one line of "
     "JSON, in order. A line is an object:\n\n"
     "  {\"source\": \"#ttg.blocked<{...}>\", \"type\": \"tensor<16x64xf16>\",\n"
     "   \"set\": {\"order\": [0, 1]}}\n\n"
     "'source' is a SOURCE or a layout document; 'type', 'element', 'triton', 'target' and 'set' "
     "are as the options of these names. For "
     "bases a line can be a bare SOURCE. For apply the object also has \"in\": {\"register\": "
     "3}, answered by {\"dim0\":2,\"dim1\":3}, or \"at\": [2, 3], answered by "
     "{\"owners\":[{...}]}. A line that cannot be answered, an empty one too, is answered by "
     "{\"error\": \"...\"}; the other lines are still answered, and the exit status is 0.\n\n"
     "banks, convert, swizzle and calc take --batch too, each with objects of other keys: see "
     "'laneway help' of the command.",
     NULL, NULL},
    {"operations", "operations of calc",
     "A, B: expressions that are layouts; P, Q: column actions. dims: [dim0, dim1]; sizes: "
     "[[dim0, 4], [dim1, 8]] or {dim0: 4, dim1: 8}; point: register=3, lane=5; columns: [2, 0, "
     "1]; bases: {lane: [[1, 0], [0, 1]]}. The names are those of Triton's LinearLayout; "
     "invert_and_compose is another spelling of invertAndCompose, and divideLeft(A, B) of "
     "A.divideLeft(B). Operations of CuTe give the results of the headers of CUTLASS 4.7, where "
     "these are right.",
     &lw_choices_operations, NULL},
    {"atoms", "MMA and copy atoms of CuTe",
     "An atom has the name that CUTLASS gives it, SM50 to SM120, and a part:\n\n"
     "  SM80_16x8x16_F32F16F16F32_TN.A        threads and values of an MMA's operand:\n"
     "                                        .A is M x K, .B N x K, .C M x N\n"
     "  SM90_64x128x16_F32F16F16_SS.C         N from 8 to 256\n"
     "  SM90::GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS.E\n"
     "                                        .E: the metadata of a sparse one\n"
     "  SM100_MMA_F16BF16_SS_128x256.C        M and N, or as template arguments:\n"
     "  SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, UMMA::Major::K,\n"
     "      UMMA::Major::K>.C\n"
     "  SM120_16x8x64_TN_VS.SFA               .SFA and .SFB: the scales of blocks\n"
     "  SM75_U32x4_LDSM_N.Dst                 threads and bits of a copy: .Src, .Dst\n"
     "                                        and .Ref\n"
     "  SM100_TMEM_LOAD_32dp32b32x.Dst        from tensor memory\n"
     "  SM80_CP_ASYNC_CACHEALWAYS<uint128_t>.Src\n"
     "  SM70_8x8x4_F32F16F16F32_TN.ThrID      of any atom: thread i is that one of the\n"
     "                                        hardware, (4,2):(1,16)\n\n"
     "ThrID is the identity, except for the quad pairs of SM70: their thread 4 is lane 16, so "
     "that their layouts have threads and no lanes. Namespaces before the last SM can be omitted, "
     "and SM90::GMMA::MMA_ is also SM90_. Of template arguments the sizes and the number of bits "
     "of a copy's type count; the others do not change the layout and are ignored. The layouts "
     "are those of the headers of CUTLASS 4.7.\n\n"
     "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{}) repeats an atom "
     "over "
     "warps and make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, ...) a copy; in Python's "
     "spelling, cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, "
     "cutlass.Float32, (16, 8, 16)), (2, 2, 1)). .A, .B and .C follow a tiled MMA, .S and .D a "
     "tiled copy. 'laneway help calc' has the parts of tensors.",
     NULL, NULL},
    {"status", "exit statuses",
     "  0  success\n"
     "  1  the answer is no: a check found problems, no hardware index holds the\n"
     "     element, documents are stale, there are more bank conflicts than\n"
     "     --fail-on-conflict allows\n"
     "  2  the request is wrong: the message is on standard error\n\n"
     "Results are on standard output only. A closed pipe ends the program quietly, with status 0.",
     NULL, NULL},
    {"environment", "environment variables",
     "  NO_COLOR        when set and not empty, no colours unless --color always\n"
     "  TERM            the terminal; not set or dumb: layouts are only printed\n"
     "  COLORTERM       truecolor or 24bit: the explorer uses all colours\n"
     "  LANEWAY_TRITON  the version of Triton, as --triton, where a source sets none",
     NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
