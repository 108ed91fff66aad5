package app.pay;

import util.*;

abstract class Base {
    protected void audit() {
        Log.SHARED.info("audit");
    }
}
