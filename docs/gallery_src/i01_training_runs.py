"""
Every training run as a point
=============================

Three classifiers, trained with eight seeds each on the same split. The bar is the interval of the mean over seeds; the
best seed is a point like the others.
"""

from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import ropewalk as rw

models = {
    "tree": DecisionTreeClassifier(max_depth=12),
    "forest": RandomForestClassifier(n_estimators=10),
    "extra trees": ExtraTreesClassifier(n_estimators=10),
}
experiment = rw.experiment.cross_validate(
    models, {"digits": load_digits(return_X_y=True)}, design="8seeds", metrics=["accuracy"], seed=0
)

# %%
figure = experiment.plot_seeds()
