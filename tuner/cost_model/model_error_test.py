# Tests of model_error.py: what it computes from rows, and that the programs have the figures of the stored rows.
import unittest

import model_error


def rows(*times):
    """Rows with these pairs of a predicted and a measured time."""
    return [{"predicted": float(predicted), "measured": float(measured), "limited_by": "DRAM", "occupancy": "1",
             "registers": "32", "block_threads": "256", "waves": "2", "spill_bytes": "0", "load_sectors": "4",
             "store_sectors": "4"} for predicted, measured in times]


class ModelErrorTest(unittest.TestCase):
    def test_the_programs_have_the_figures_of_the_stored_rows(self):
        self.assertEqual(model_error.SOURCE.read_text(encoding="utf-8"), model_error.source_text())

    def test_the_interval_leaves_out_a_tenth_on_each_side_and_weighs_groups_alike(self):
        few, many = rows(*[(10, 10 * i) for i in range(1, 11)]), rows(*[(10, 20)] * 1000)
        self.assertEqual(model_error.quantiles([few]), (1, 9))
        self.assertEqual(model_error.quantiles([few, many]), (2, 8))

    def test_equals_are_as_close_as_pairs_that_are_often_ordered_wrongly(self):
        exact = rows(*[(100 + i, 100 + i) for i in range(60)])
        self.assertEqual(model_error.equal_within([exact]), 0)
        swapped = rows((100, 120), (112, 110), (125, 140), (149, 160))
        self.assertEqual(model_error.wrong_orders([swapped])[2], 0.5)  # of 100 and 112, and 125 and 112

    def test_losses_are_those_of_what_is_predicted_best(self):
        some = rows((1, 12), (2, 10), (3, 30))
        self.assertAlmostEqual(model_error.top_loss(some, [1, 2, 3], 1), 0.2)
        self.assertEqual(model_error.top_loss(some, [1, 2, 3], 10), 0)
        self.assertAlmostEqual(model_error.spearman(some, [1, 2, 3]), 0.5)

    def test_a_correction_learns_what_a_feature_says_and_is_judged_by_its_worst_group(self):
        groups = {}
        for number in range(3):
            group = rows(*[(10 + i, (10 + i) * (10 if i < 30 else 1)) for i in range(60)])
            for i, row in enumerate(group):
                row["limited_by"] = "L2" if i < 30 else "DRAM"
            groups["board", str(number), ""] = group
        found = model_error.left_out(groups, lambda key: key[1])
        self.assertTrue(model_error.helps(found)[0])
        self.assertGreater(found["board", "1", ""][1], 0.95)
        groups["board", "3", ""] = rows(*[(10 + i, 10 + i) for i in range(20)])
        for i, row in enumerate(groups["board", "3", ""]):
            row["limited_by"] = "L2" if i % 2 else "DRAM"
        self.assertFalse(model_error.helps(model_error.left_out(groups, lambda key: key[1]))[0])

    def test_params_have_the_form_of_set(self):
        self.assertEqual(model_error.set_form("{.tile_dim = 32, .order = a::b::row}"), "tile_dim=32,order=row")


if __name__ == "__main__":
    unittest.main()
