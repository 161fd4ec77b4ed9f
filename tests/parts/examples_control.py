"""Controllers of a revolute and of a prismatic joint."""

from oleodyn.control.pid import PID

CONTROL = {
    "PID of a revolute joint": PID(K_p=73.0, K_i=147.0, K_d=2.3, K_ff=0.5, u_max=0.01),
    "PID of a prismatic joint": PID(K_p=3.2, K_i=6.4, u_max=0.01, axis="m", derivative_on_measurement=True),
}
