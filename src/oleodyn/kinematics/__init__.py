"""Forward and inverse kinematics, workspace."""
