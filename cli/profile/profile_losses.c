/* One prediction for each loss, at the receiver. */
#include "profile_losses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The options of one prediction: those of the command line, with the loss and the k factor put in. */
typedef struct loss_options {
    int count;
    const char *name[EXTRA_MAX + 2], *value[EXTRA_MAX + 2];
} loss_options;

static void add_option(loss_options *options, const char *name, const char *value)
{
    options->name[options->count] = name;
    options->value[options->count++] = value;
}

static void list_options(const profile_input *input, const char *word, loss_options *options)
{
    rcity_method_option option;
    options->count = 0;
    for (int i = 0; i < input->extra.count; i++) {
        if (strcmp(input->extra.name[i], PROFILE_LOSS_OPTION) != 0) {
            add_option(options, input->extra.name[i], input->extra.value[i]);
        }
    }
    add_option(options, PROFILE_LOSS_OPTION, word);
    if (input->k_factor_word != NULL && profile_method_option(input, "k-factor", &option) >= 0) {
        add_option(options, "k-factor", input->k_factor_word);
    }
}

static rcity_status find_loss(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                              const profile_input *input, const rcity_link_profile_options *link,
                              const rcity_link_profile_info *info, profile_loss *loss)
{
    double xyh_m[3] = {link->rx_x_m, link->rx_y_m, info->receiver.z_m - info->rx_ground_m};
    loss_options options;
    rcity_method_info method;
    rcity_request request = rcity_request_default();
    float loss_db = NAN;
    float received_dbm = NAN;
    rcity_status status = rcity_method_get(input->method_index, &method);
    if (status != RCITY_OK) {
        return status;
    }
    list_options(input, loss->word, &options);
    request.method = method.name;
    request.transmitter = link->transmitter;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = xyh_m;
    request.receivers.gain_dbi = input->rx_gain_dbi;
    request.range_policy = input->extrapolates ? RCITY_RANGE_EXTRAPOLATE : RCITY_RANGE_FAIL;
    request.option_count = options.count;
    request.option_name = options.name;
    request.option_value = options.value;
    status = rcity_predict_points(context, scene, device, &request, &loss_db, &received_dbm);
    loss->loss_db = (double)loss_db;
    loss->received_dbm = (double)received_dbm;
    loss->reason[0] = '\0';
    if (status == RCITY_ERR_ARGUMENT || status == RCITY_ERR_UNSUPPORTED) {
        snprintf(loss->reason, sizeof loss->reason, "%.399s", rcity_context_message(context));
        return RCITY_OK;
    }
    return status;
}

/* The next word of "a|b|c"; `*words` moves on. @return false after the last. */
static bool next_word(const char **words, char word[PROFILE_WORD_BYTES])
{
    size_t length = strcspn(*words, "|");
    if (length == 0 || length >= PROFILE_WORD_BYTES) {
        return false;
    }
    memcpy(word, *words, length);
    word[length] = '\0';
    *words += length + ((*words)[length] == '|');
    return true;
}

/* The loss of the budget: that of the command line, or the method's own. */
static const char *chosen_word(const profile_input *input, const rcity_method_option *option)
{
    for (int i = 0; i < input->extra.count; i++) {
        if (strcmp(input->extra.name[i], PROFILE_LOSS_OPTION) == 0) {
            return input->extra.value[i];
        }
    }
    return option->default_value;
}

rcity_status profile_losses_find(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                 const rcity_link_profile_options *options, const rcity_link_profile_info *info,
                                 profile_losses *losses)
{
    rcity_method_option option;
    memset(losses, 0, sizeof *losses);
    if (profile_method_option(input, PROFILE_LOSS_OPTION, &option) < 0) {
        return RCITY_OK;
    }
    rcity_device *device = NULL;
    rcity_status status = rcity_device_open(context, "host", &device);
    const char *words = option.choices;
    while (status == RCITY_OK && losses->count < PROFILE_LOSS_MAX &&
           next_word(&words, losses->loss[losses->count].word)) {
        profile_loss *loss = &losses->loss[losses->count];
        losses->chosen = strcmp(loss->word, chosen_word(input, &option)) == 0 ? losses->count : losses->chosen;
        status = find_loss(context, scene, device, input, options, info, loss);
        losses->count++;
    }
    rcity_device_close(&device);
    return status;
}
