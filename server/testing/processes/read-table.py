"""Reads a table file with what the rest of the world reads it with, and prints its rows as JSON.

A cell is null, a text, or {"number": …} or {"time": …}. Of csv all cells are texts.
"""

import csv
import datetime
import json
import sys


def read_csv(path):
    # The byte order mark is part of the file; line ends inside of quotes are kept.
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, strict=True))


def read_xls(path):
    import xlrd

    book = xlrd.open_workbook(path)
    assert book.biff_version == 80, book.biff_version
    assert book.nsheets == 1

    def cell(of):
        if of.ctype == xlrd.XL_CELL_EMPTY:
            return None
        if of.ctype == xlrd.XL_CELL_DATE:
            return time(xlrd.xldate.xldate_as_datetime(of.value, book.datemode))
        if of.ctype == xlrd.XL_CELL_NUMBER:
            return {"number": of.value}
        assert of.ctype == xlrd.XL_CELL_TEXT, of
        return of.value

    sheet = book.sheet_by_index(0)
    return [[cell(of) for of in sheet.row(row)] for row in range(sheet.nrows)]


def read_xlsx(path):
    import openpyxl
    from openpyxl.utils.escape import unescape

    def cell(of):
        if of.value is None and of.data_type == "n":
            return None
        if of.is_date:
            return time(of.value)
        if of.data_type == "n":
            return {"number": of.value}
        # A formula would be "f".
        assert of.data_type in ("s", "inlineStr"), (of, of.data_type)
        # openpyxl leaves `_x000B_` to its user.
        return unescape(of.value or "")

    # All cells of a large file would take gigabytes.
    book = openpyxl.load_workbook(path, read_only=True)
    assert len(book.sheetnames) == 1
    rows = [[cell(of) for of in row] for row in book.active.iter_rows()]
    width = max(len(row) for row in rows)
    return [row + [None] * (width - len(row)) for row in rows]


def time(of):
    # Days with a fraction are a few microseconds off.
    rounded = of + datetime.timedelta(microseconds=500)
    return {"time": rounded.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (rounded.microsecond // 1000)}


readers = {"csv": read_csv, "xls": read_xls, "xlsx": read_xlsx}
kind, path = sys.argv[1:]
json.dump(readers[kind](path), sys.stdout)
