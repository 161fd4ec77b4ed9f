"""Bodies, joints, trees and loops."""
