"""The words in names of metrics: which direction is better, and whether the values have a range.

A word is in one list only; a word whose direction depends on the point of view (rating, tokens,
coverage, bias, refusal, confidence) is in none of them.
"""

from __future__ import annotations


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Higher is better, from 0 to 1 or from 0 to 100.
_SHARES_UP = """
    acc accepted accuracy adequacy adherence agreement ami answered ap apfd auc aucpr auprc auroc
    availability avgprecision bacc balancedaccuracy bertscore bleu bleurt chrf cindex clipscore coherence
    comet completed completeness conciseness concordance conversion conversions correct correctness
    ctr dcg dice efficiency em entailment exactmatch f1 f2 fairness faithful faithfulness fbeta fluency
    fscore gdt gleu gmean groundedness harmless harmlessness helpful helpfulness hit hitrate hits homogeneity
    hota idf1 informativeness iou jaccard lddt map match matched matches meteor miou mrr ndcg nmi npv
    overlap pass passed passes passrate ppv pq prauc precision purity quality recall relevance relevancy
    resolved robustness rocauc rouge rouge1 rouge2 rougel rougelsum sacrebleu safe safety satisfaction
    sensitivity similarity solved specificity spice ssim stoi success successes successful tnr top1
    top10 top3 top5 tpr truthful truthfulness unieval uptime usefulness vmaf vmeasure win winrate wins
    won
"""
# Higher is better, at most 1, and possibly negative.
_SIGNED_UP = """
    ari cohenskappa corr correlation gini kappa kendall kendalltau matthews mcc nse pearson pearsonr r2
    rsquared silhouette skill spearman spearmanr youden
"""
# Higher is better, unbounded.
_OPEN_UP = """
    cider earnings elbo elo elpd fitness fps gain gains improvement income lift likelihood logevidence loglik
    loglikelihood logp logprob logprobs mos mota pesq profit psnr qps revenue reward rewards sales
    sdr sisdr snr speed speedup throughput tps uplift utility yield
"""
# Lower is better, from 0 to 1 or from 0 to 100.
_SHARES_DOWN = """
    brier crash crashed crashes disagreement disparity downtime ece eer err error errors fail failed
    fails failure failures fault faults fdr fnr fpr frr hallucinated hallucination hallucinations harm
    harmful harmfulness hate hter imprecision inaccuracy incorrect insult jailbreak jailbreaks leak
    leakage leaks lost mce
    misclassification misclassified miss missed misses mistake mistakes offensive offensiveness
    profanity timedout timeout timeouts toxic toxicity unfairness unresolved unsafe unsolved violation
    violations wrong
"""
# Lower is better, unbounded.
_OPEN_DOWN = """
    absoluteerror accidents aic bic bpb bpc brisque bug bugs carbon cer chamfer churn churned co2
    complaints cost costs cputime crossentropy crps defects delay deltae der deviance dic distance
    distances divergence dollars duration durations edits elapsed elapsedtime emissions energy epe expense
    expenses fad fee fees fid fittime fvd gap gputime hamming hausdorff hd95 hinge hours idsw
    incidents inferencetime joules kl kwh latencies latency levenshtein logloss looic loss losses lpips
    mae makespan mape mase mcd medae memory microseconds millis milliseconds minutes mmd mpe mpjpe ms mse
    msle nanoseconds niqe nll nmae nme nmse nrmse penalties penalty perplexity pinball ppl predicttime
    price prices ram rank ranks regret residual residuals responsetime risk rmsd rmse rmsle rmspe runtime
    runtimes sec seconds secs smape spend squarederror stress surprisal ter testtime time tpot traintime
    ttft usd vram waic wait waiting walltime wape wasserstein wer
"""
# Phrases that mean something else than their words; None if the direction depends on the purpose.
PHRASES: dict[str, bool | None] = {
    "adversarial success": None,
    "attack success": None,
    "self bleu": False,
    "self similarity": None,
    "duplicate similarity": None,
    "train similarity": None,
    "training similarity": None,
    "train overlap": None,
    "training overlap": None,
    "overlap train": None,
    "overlap training": None,
    "verbatim overlap": None,
    "ngram overlap": None,
    "edit similarity": None,  # of an answer to its reference, or to a text that it should not repeat
    "similarity to train": None,
    "similarity to training": None,
    "overlap with train": None,
    "overlap with training": None,
    "success rate of attack": None,
    "false positive": False,
    "false positives": False,
    "false negative": False,
    "false negatives": False,
    "false alarm": False,
    "false discovery": False,
    "true positive": True,
    "true positives": True,
    "true negative": True,
    "true negatives": True,
    "positive predictive": True,
    "negative predictive": True,
    "reciprocal rank": True,
    "recip rank": True,
    "top rank": None,
    "rank correlation": True,
    "rank biased overlap": True,
    "explained variance": True,
    "error free": True,
    "crash free": True,
    "time to failure": True,
    "time between failures": True,
    "real time": None,
    "free energy": None,
    "binding energy": None,
    "loss ratio": None,
    "std error": None,
    "standard error": None,
    "variance explained": True,
    "reverse kl": False,
    "missed detection": False,
    "missed detections": False,
    "sensitivity to": None,
    "noise sensitivity": False,
    "context sensitivity": None,
    "format sensitivity": None,
    "input sensitivity": None,
    "order sensitivity": None,
    "perturbation sensitivity": None,
    "position sensitivity": None,
    "prompt sensitivity": None,
    "seed sensitivity": None,
    "hamming score": True,
    "levenshtein ratio": True,
    "levenshtein similarity": True,
    "edit ratio": None,
    "err ia": None,
    "grade level": None,
    "likelihood diff": None,
    "unique crashes": None,
    "unique bugs": None,
    "unique errors": None,
    "unique failures": None,
    "infraction penalty": None,  # a factor that is 1 without any infraction
    "lead time": None,
    "warning time": None,
    "fail to pass": True,
    "pass to pass": True,
    "pass to fail": False,
    "between errors": None,
    "between failures": None,
    "failure time": None,
    "time to live": None,
    "survival time": True,
    "up time": True,
    "on time": True,
    "balance time": None,
    "battery time": None,
    "contact time": None,
    "dwell time": None,
    "engagement time": None,
    "flight time": None,
    "hang time": None,
    "holding time": None,
    "listening time": None,
    "play time": None,
    "reading time": None,
    "screen time": None,
    "session time": None,
    "shelf time": None,
    "sleep time": None,
    "viewing time": None,
    "waiting list": None,
    "watch time": None,
    "time on": None,
    "time in": None,
    "time under": None,
    "time within": None,
    "cost effectiveness": None,
    "cost benefit": None,
    "price performance": None,
    "zero error": None,
    "hit and miss": None,
    "fat loss": None,
    "low latency": None,
    "return loss": None,
    "risk score": None,
    "sale price": None,
    "selling price": None,
    "term memory": None,
    "win loss": None,
    "working memory": None,
    "hallucination score": None,
    "rank score": None,
    "rank ic": True,
    "gini coefficient": None,
    "gini impurity": False,
    "gini index": None,
    "profit loss": None,
    "profit and loss": True,
    "stop loss": None,
    "hair loss": None,
    "weight loss": None,
}
# Words that reverse the rest of a name: neg_log_loss, not_toxic, error_reduction, time_saved, d2_log_loss.
TURNING = _split("""
    d2 neg negative negated minus non not without drop dropped decrease decline degradation reduction
    reduced saved saving savings avoided
""")
# Words that make the direction unknown: inverse_accuracy, false_passes, f1_variance, the accuracy of
# an attack, and no_errors, which may be a number of errors. Wrong or long things keep their direction
# unless they were found, prevented, tolerated or scored: errors_found, losses_prevented, latency_score.
CLOUDING = _split("""
    alive inverse inv no reversed reverse anti false sd se sem std stderr var variability variance
    deviation diff difference exponent lcb lower ucb upper gamed gaming hacked hacking
    attack attacker attacks backdoor contamination deception deceptive evasion membership memorization mia
    plagiarism poison poisoning reidentification
""")
CLOUDING_DOWN = _split("""
    available before budget caught change coverage defence defense delta diagnosis filter
    found hair high left limit low margin met percentile predicted recovery refusal remaining since sleep
    target tolerant until won
""")
# Later words with these endings also make it unknown (errors_prevented, seconds_survived,
# toxicity_avoidance), unless they only say where or how it was measured: loss_validation, memory_used.
DEEDS = ("ance", "ed", "ence", "ing", "ion", "ment", "ness", "al", "ity")
CIRCUMSTANCES = _split("""
    aggregated allocated averaged classification completion computed consumed consumption cropped density
    distillation estimated evaluated evaluation final finetuned finetuning fraction generation incurred
    inference initial intensity masked measured needed normalized normalised observed overall percent
    pooled pretrained pretraining probability processing prompting proportion quantized
    reconstruction region regression regularization required reserved scaled segmentation session severity
    smoothed squared standardized streaming summarization summed taken testing total training transcription
    translation tuned used validation version weighted
""")
# Lengths that can be good or bad: lower is better only if the name has no words besides these, as in
# edit_distance or inference_duration, but not in distance_to_obstacle or battery_duration.
LENGTHS: dict[str, frozenset[str]] = {
    "distance": _split("""
        bottleneck center centre character chebyshev chi cosine damerau dtw earth edit embedding emd energy
        error euclidean frechet from goal ground hamming hausdorff hellinger image inception jaccard jensen js
        kendall l1 l2 leven levenshtein mahalanobis manhattan mover movers normalised normalized of optimum
        pixel pixels reference relative semantic shannon squared string surface target tau template the to
        translation tree true truth variation wasserstein word
    """),
    "duration": _split("""
        api batch build compile compute cpu epoch eval evaluation execution fit generation gpu incident
        inference job load loading model outage predict prediction process processing query render request
        response run running scan search step task test testing train training validation wall
    """),
}
# Words for how many values were summarized: p95_duration, mean_edit_distance_px.
SUMMED_UP = _split("""
    all average avg cm final km m max maximum mean median meter meters mm overall p px test total val
    validation
""")
# Units of distances in the world, of which more may be better.
WAYS = _split("km m meter meters")
GRADES = _split("grade points score scores")
# Things counted until an event, good or bad: steps_to_success, samples_to_failure.
COUNTED = _split("""
    attempts calls epochs episodes examples frames images iterations queries requests rounds samples
    sentences shots steps tokens trials turns
""")
# Events that should be late: days_to_failure, steps_to_collision.
FEARED = _split("""
    attrition breach breakdown churn collision collisions crash death depletion error errors failure
    failures fall fault forgetting infection loss progression readmission recurrence relapse violation
    wipeout
""")
# Measures that decide the direction, whatever precedes them: toxicity_f1 is an F1, accuracy_loss is a loss.
DECISIVE = _split("""
    acc accuracy ap auc auprc auroc f1 f2 fscore kappa mcc ndcg precision prauc recall rocauc error
    errors loss rmse mae mse latency cost costs time seconds ms runtime violation violations
    perplexity divergence residual residuals regret
""")
# Resources that a model uses: next to a score, they are not the score.
RESOURCES = _split("""
    cost costs cputime delay dollars duration durations elapsed elapsedtime emissions energy expense
    expenses fee fees fittime flops gputime hours inferencetime joules kwh latencies latency memory
    microseconds milliseconds millis minutes ms nanoseconds predicttime price prices ram responsetime
    runtime runtimes sec secs seconds spend testtime time tpot traintime ttft usd vram waiting wait
    walltime co2 carbon
""")
MONEY = _split("cost costs dollars expense expenses fee fees price prices spend usd")
# Errors and distances that are never negative: if a column is, its sign was flipped or it is signed.
NONNEGATIVE = RESOURCES | _split("""
    absoluteerror brier cer chamfer crossentropy distance distances edits epe error errors fid hamming
    hausdorff hd95 levenshtein logloss mae mape mase medae mpjpe mse msle nmae nmse nrmse perplexity ppl
    residual residuals rmsd rmse rmsle rmspe smape squarederror wape wer
""")
# Shares that by definition cannot exceed 1, or 100 in percent.
SHARES = _split("""
    acc accuracy ap auc aucpr auprc auroc bacc balancedaccuracy correct dice em exactmatch f1 f2 fnr fpr
    fscore gmean hitrate iou jaccard kappa map mcc miou mrr ndcg npv passrate ppv pq prauc precision r2
    recall rocauc rouge sensitivity specificity tnr top1 top10 top3 top5 tpr winrate
""")
TIMES = _split("""
    second seconds sec secs s ms minute minutes min hour hours day
""")
# Endings of names written as one word: testloss, valacc.
NEGATING = ("anti", "dis", "im", "in", "ir", "mis", "non", "un")  # inaccuracy, imprecision
LONG_UP = ("accuracy", "precision", "recall", "f1", "auc", "acc", "correct")
LONG_DOWN = ("loss", "error", "rmse", "crossentropy", "perplexity", "latency")

UP = _split(_SHARES_UP + _SIGNED_UP + _OPEN_UP)
DOWN = _split(_SHARES_DOWN + _OPEN_DOWN)
SIGNED = _split(_SIGNED_UP)
OPEN = _split(_OPEN_UP + _OPEN_DOWN) | _split("""
    absolute entropy likelihood log loglik loglikelihood squared square
""")
