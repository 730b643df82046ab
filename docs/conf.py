"""The documentation site: `make docs` builds it into docs/_build/html, without a network."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import matplotlib as mpl  # noqa: E402
from figure_scraper import scrape  # noqa: E402

from ropewalk.version import VERSION  # noqa: E402

mpl.use("agg")
warnings.filterwarnings("ignore", message=".*FigureCanvasAgg is non-interactive.*")

# Where the versions of the site are published, such as https://example.org/ropewalk: then there is a version switch.
SITE = os.environ.get("ROPEWALK_SITE", "").rstrip("/")

project = "ropewalk"
author = "The ropewalk authors"
copyright = "The ropewalk authors"
version = release = VERSION

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "run_blocks",
    "written_pages",
    "checked_site",
]
exclude_patterns = [".venv", "coming-from/.venv", "_build", "_ext", "gallery_src"]
templates_path = ["_templates"]
default_role = "literal"
highlight_language = "text"  # a formula is not Python
nitpicky = False
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": ["gallery_src"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "reference_url": {},
    "abort_on_example_error": True,
    "min_reported_time": 3600,
    "show_memory": False,
    "write_computation_times": False,  # that page would load scripts from other hosts
    "capture_repr": ("__repr__",),
    "image_scrapers": (scrape,),
    "plot_gallery": "True",
}

html_theme = "pydata_sphinx_theme"
html_title = "ropewalk"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["../src/ropewalk/report/ropewalk-1.schema.json"]  # published as it is
html_show_sourcelink = False
html_favicon = "_static/icon.svg"
html_context = {"default_mode": "auto"}
html_domain_indices = False  # the index of modules has one line
html_sidebars = {"which-method": []}  # pages without pages below them
html_copy_source = False
html_theme_options = {
    "logo": {"text": "ropewalk"},
    "show_toc_level": 2,
    "navbar_align": "left",
    "header_links_before_dropdown": 5 if SITE else 7,  # the version switch takes the room of two
    "navbar_end": [*(["version-switcher"] if SITE else []), "theme-switcher"],
    "switcher": {"json_url": f"{SITE}/versions.json", "version_match": VERSION},
    "check_switcher": False,
    "show_version_warning_banner": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
