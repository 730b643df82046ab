"""Project URLs of a release: the address of the site, which is known when it is published and not before."""

import os

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Links on the package's page, if the environment variable ROPEWALK_SITE has the address of the site."""

    def update(self, metadata: dict) -> None:
        site = os.environ.get("ROPEWALK_SITE", "").rstrip("/")
        pages = {"Homepage": "", "Documentation": "guide.html", "Changelog": "changelog.html"}
        links = {name: f"{site}/{metadata['version']}/{page}" for name, page in pages.items()}
        metadata["urls"] = links if site else {}
