/* The commands. Each reads the words after its name and returns an exit status. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

int command_antenna(int count, char **words);
int command_bench(int count, char **words);
int command_calibrate(int count, char **words);
int command_delay(int count, char **words);
int command_demo(int count, char **words);
int command_devices(int count, char **words);
int command_map(int count, char **words);
int command_plan(int count, char **words);
int command_predict(int count, char **words);
int command_profile(int count, char **words);
int command_rays(int count, char **words);
int command_scene(int count, char **words);
int command_score(int count, char **words);
int command_visibility(int count, char **words);

/* Under `map`. */
int map_coverage(int count, char **words);
int map_diff(int count, char **words);
int map_info(int count, char **words);

/* Under `scene`. */
int scene_draw(int count, char **words);
int scene_export(int count, char **words);
int scene_import(int count, char **words);
int scene_info(int count, char **words);
int scene_make(int count, char **words);

#endif
